"""Tools that make a checkout run: environment, client, browser, gate; standard library only."""
