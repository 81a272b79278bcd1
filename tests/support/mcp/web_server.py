"""A server over HTTP without the SDK: web_server.py KIND. It prints its port, then sends for ever or refuses."""

import json
import sys
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KIND = sys.argv[1]
TOOL = {"name": "look", "description": "Looks.", "inputSchema": {"type": "object", "properties": {}}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        """The stream of what a server has to say by itself."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        if KIND == "ends":
            self.wfile.write(b"retry: 0\nid: 1\ndata: \n\n")
            return
        with suppress(OSError):
            while True:
                self.wfile.write(b": hello\n\n" * 10_000)

    def do_DELETE(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        if KIND == "locked" and "authorization" not in self.headers:
            self.send_error(401)
            return
        if KIND.isdigit():
            self._answer({"detail": "no"}, int(KIND))
            return
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if KIND == "refuses":
            self._answer({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32600, "message": "too old"}}, 400)
            return
        match asked["method"]:
            case "initialize":
                version = asked["params"]["protocolVersion"]
                info = {"name": "web", "version": "1"}
                self._reply(asked, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info})
            case "tools/list":
                self._reply(asked, {"tools": [TOOL]})
            case "tools/call":
                self.send_error(403)
            case _:
                self.send_response(202)
                self.send_header("content-length", "0")
                self.end_headers()

    def _reply(self, asked: dict[str, Any], result: object) -> None:
        self._answer({"jsonrpc": "2.0", "id": asked["id"], "result": result})

    def _answer(self, message: dict[str, Any], status: int = 200) -> None:
        body = json.dumps(message).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("mcp-session-id", "1")
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        print(server.server_address[1], flush=True)  # noqa: T201
        server.serve_forever()
