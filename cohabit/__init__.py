"""What programs of others import: `cohabit.env`."""
