"""llama.cpp, and what must run in a process of its own. The only folder that imports llama_cpp."""
