"""The models for other programs: HTTP in OpenAI's shapes. Only these modules import Starlette and uvicorn."""
