"""The Cohabit server: sessions, simulators, wire, lobby, store and web."""
