"""The site's interface for programs, under `/api/v1`; described at `/api/v1/openapi.json`."""

from web.site.api.blueprint import make_blueprint

__all__ = ["make_blueprint"]
