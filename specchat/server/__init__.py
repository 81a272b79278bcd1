"""The OpenAI-compatible HTTP server; only this package imports Starlette and uvicorn."""
