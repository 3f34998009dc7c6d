"""The page's TypeScript and CSS, and `build`, which makes of them what browsers load."""
