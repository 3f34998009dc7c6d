"""The site, its page code, and the runtime that runs in the page."""
