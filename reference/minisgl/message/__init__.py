"""Every message, in three groups: to the tokenizer, to the scheduler (backend), to the frontend."""

from .backend import AbortBackendMsg, BaseBackendMsg, BatchBackendMsg, ExitMsg, UserMsg
from .frontend import BaseFrontendMsg, BatchFrontendMsg, UserReply
from .tokenizer import AbortMsg, BaseTokenizerMsg, BatchTokenizerMsg, DetokenizeMsg, TokenizeMsg

__all__ = [
    "AbortBackendMsg",
    "AbortMsg",
    "BaseBackendMsg",
    "BaseFrontendMsg",
    "BaseTokenizerMsg",
    "BatchBackendMsg",
    "BatchFrontendMsg",
    "BatchTokenizerMsg",
    "DetokenizeMsg",
    "ExitMsg",
    "TokenizeMsg",
    "UserMsg",
    "UserReply",
]
