"""`create_app`: the parts put together, and the one form of every refusal."""

from __future__ import annotations

from http import HTTPStatus

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from web.site import api, files, learners, pages, security
from web.site.bulletin import Bulletin
from web.site.course import Course
from web.site.database import Database
from web.site.errors import Problem, answer, from_http
from web.site.settings import Settings, make_data_folder, secret_key
from web.site.site import EXTENSION, Site
from web.site.workers import Workers

# Threads that no event stream may hold, so that there is always one to answer.
SPARE_THREADS = 8
# At other addresses a person looks at what is not there.
FOR_PROGRAMS = ("/api/", "/static/", "/runtime/", "/healthz")


def create_app(settings: Settings) -> Flask:
    """The site as a WSGI application, its database up to date.

    It grades between `start` and `stop` of `app.extensions["minisgl-site"]`. Raises `CatalogError` if
    the exercises are not sound and `OSError` if the data folder cannot be used.
    """
    make_data_folder(settings)
    course = Course(settings.root)
    database = Database(settings.database)
    database.migrate()
    bulletin = Bulletin(max(1, settings.threads - SPARE_THREADS))
    workers = Workers(settings, database, bulletin)

    app = Flask("web.site", static_folder=None, template_folder="templates")
    # An address with two slashes is another address, not one to be sent on to.
    app.url_map.merge_slashes = False
    app.extensions[EXTENSION] = Site(settings, course, database, bulletin, workers)
    learners.configure(app, settings, secret_key(settings))
    security.protect(app, settings)
    app.register_blueprint(api.make_blueprint())
    app.register_blueprint(files.make_blueprint())
    app.register_blueprint(pages.pages)
    _answer_errors(app)
    return app


def _answer_errors(app: Flask) -> None:
    @app.errorhandler(Problem)
    def refuse(problem: Problem) -> Response:
        return answer(problem)

    @app.errorhandler(HTTPException)
    def refuse_http(error: HTTPException) -> AnyResponse:
        if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
            return error.get_response()  # a redirect
        if error.code == HTTPStatus.NOT_FOUND and not request.path.startswith(FOR_PROGRAMS):
            return pages.not_found(error)
        return answer(from_http(error))

    @app.errorhandler(Exception)
    def fail(error: Exception) -> Response:
        app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
        return answer(from_http(HTTPException()))
