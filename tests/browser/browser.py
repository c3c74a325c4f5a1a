"""Debian's Chromium without a window, driven through chromedriver by plain HTTP: nothing but Python's own library."""

import base64
import json
import re
import subprocess
import urllib.error
import urllib.request


class Browser:
    def __init__(self):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.root = f"http://127.0.0.1:{found[1]}"
                break
        else:
            raise RuntimeError("chromedriver did not start")
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1280,900"]}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = "/session/" + answer["sessionId"]
        self.offline()

    def close(self):
        try:
            self._ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None

    def command(self, name, **parameters):
        """A command of Chromium's own protocol."""
        return self._ask("POST", self.session + "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def offline(self):
        self.command("Network.enable")
        self.command("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def open(self, path):
        self._ask("POST", self.session + "/url", {"url": "file://" + str(path)})

    def run(self, script, *arguments):
        """The value that a script returns; it may await."""
        body = "const done = arguments[arguments.length - 1]; (async (...arguments) => {" + script + "})(...arguments).then(done, e => done({failed: String(e)}));"
        value = self._ask("POST", self.session + "/execute/async", {"script": body, "args": list(arguments)})
        if isinstance(value, dict) and "failed" in value:
            raise RuntimeError(value["failed"])
        return value

    def log(self):
        """What the page and the browser complained about."""
        return self._ask("POST", self.session + "/se/log", {"type": "browser"})

    def look(self, width, height=900, dark=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = "dark" if dark else "light"
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.run("await new Promise(f => setTimeout(f, 150));")

    def drag(self, start, end, shift=False):
        """The pointer pressed at one place of the window, moved and released at another."""
        modifiers = 8 if shift else 0
        move = lambda kind, at, buttons: self.command("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=buttons, clickCount=1, modifiers=modifiers)
        move("mouseMoved", start, 0)
        move("mousePressed", start, 1)
        for k in range(1, 6):
            move("mouseMoved", [a + (b - a) * k / 5 for a, b in zip(start, end)], 1)
        move("mouseReleased", end, 0)
        self.run("await new Promise(f => setTimeout(f, 100));")

    def key(self, name, text=None):
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.command("Input.dispatchKeyEvent", type=kind, key=name, **extra)
        self.run("await new Promise(f => setTimeout(f, 50));")

    def screenshot(self, path, whole=True):
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **({"clip": self._page()} if whole else {}))
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def _page(self):
        size = self.command("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12000), "scale": 1}
