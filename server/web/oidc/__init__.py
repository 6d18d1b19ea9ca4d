"""Sign-ins of operators with the OpenID Connect provider of a university."""
