"""What makes a checkout run: environment, client build, browser, gate. Standard library only."""
