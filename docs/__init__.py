"""The pages about the articles, and what draws their figures."""
