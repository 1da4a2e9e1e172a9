"""The page on which people judge attacked sentences."""

from nerquake.report.review.page import ReviewPage

__all__ = ["ReviewPage"]
