"""A headless Chromium driven through the DevTools protocol over a pipe; nothing but the standard library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


class Browser:
    """One browser with a profile of its own, gone when it is closed."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            raise SystemExit("no Chromium found; install the package chromium")
        self.profile = tempfile.mkdtemp(prefix="spinney-browser-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        arguments = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-dev-shm-usage", "--remote-debugging-pipe",
            f"--user-data-dir={self.profile}", "--force-device-scale-factor=1", "about:blank",
        ]

        def pipes():
            # Above 4 first, so that neither is overwritten.
            high = os.dup2(to_browser, 20), os.dup2(from_browser, 21)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            arguments, preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.events = []

    def send(self, method, parameters=None, session=None):
        """Sends a command and waits for its answer; events meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.buffer:
            chunk = os.read(self.input, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def page(self, url, width=1280, height=900, dark=False):
        return Page(self, url, width, height, dark)

    def close(self):
        try:
            self.send("Browser.close")
        except (RuntimeError, OSError):
            self.process.kill()
        self.process.wait(10)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A page; every wait has an end, and says what it waited for."""

    def __init__(self, browser, url, width, height, dark):
        self.browser = browser
        context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", {"url": "about:blank", "browserContextId": context})
        self.target = target["targetId"]
        attached = browser.send("Target.attachToTarget", {"targetId": self.target, "flatten": True})
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.send(f"{domain}.enable")
        self.resize(width, height)
        self.dark(dark)
        self.send("Page.navigate", {"url": url})
        self.wait("document.documentElement.dataset.ready")

    def send(self, method, parameters=None):
        return self.browser.send(method, parameters, self.session)

    def resize(self, width, height, touch=False):
        """Another size; with `touch` a device whose pointer is a finger."""
        self.send("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch or width < 500,
        })
        self.send("Emulation.setTouchEmulationEnabled", {"enabled": touch})

    def dark(self, on, motion=False):
        """A preference for dark colours; nothing moves unless `motion` is wanted."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        still = {"name": "prefers-reduced-motion", "value": "" if motion else "reduce"}
        self.send("Emulation.setEmulatedMedia", {"features": [scheme, still]})

    def js(self, expression):
        """The value of an expression; promises are awaited."""
        result = self.send("Runtime.evaluate", {
            "expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True,
        })
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]) + f" in {expression}")
        return result["result"].get("value")

    def wait(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.js(f"Boolean({expression})"):
                    return
            except RuntimeError:
                pass  # The page is being replaced.
            time.sleep(0.02)
        raise AssertionError(f"waited {seconds} s in vain for {expression}")

    def reload(self):
        self.js("window.isOld = true")
        self.send("Page.reload")
        self.wait("!window.isOld && document.documentElement.dataset.ready")

    def text(self, selector):
        return self.js(f"document.querySelector({json.dumps(selector)}).textContent")

    def click(self, selector):
        """Clicks the middle of an element with the mouse."""
        self.js(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})")
        for kind in ["mousePressed", "mouseReleased"]:
            self.mouse(kind, *self.centre(selector))

    def mouse(self, kind, x, y):
        self.send("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left" if kind != "mouseMoved" else "none", "clickCount": 1,
        })

    def drag(self, start, end, steps=5):
        """Drags with the mouse from one point to another."""
        self.mouse("mousePressed", *start)
        for i in range(1, steps + 1):
            x, y = (a + (b - a) * i / steps for a, b in zip(start, end))
            self.send("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y, "button": "left", "buttons": 1})
        self.mouse("mouseReleased", *end)

    def touch_drag(self, start, end, steps=8):
        """Drags with a finger."""
        self.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start[0], "y": start[1]}]})
        for i in range(1, steps + 1):
            x, y = (a + (b - a) * i / steps for a, b in zip(start, end))
            self.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
        self.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def tap(self, selector):
        """Touches the middle of an element."""
        self.js(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})")
        x, y = self.centre(selector)
        self.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        self.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def centre(self, selector):
        return self.js(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()")

    def hover(self, selector):
        self.js(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'nearest'}})")
        self.mouse("mouseMoved", *self.centre(selector))

    def key(self, key):
        for kind in ["keyDown", "keyUp"]:
            self.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": key})

    def fill(self, selector, value):
        self.js(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(value)};"
            " e.dispatchEvent(new Event('input', {bubbles: true}));"
            " e.dispatchEvent(new Event('change', {bubbles: true})); })()")

    def screenshot(self, path, whole=False):
        picture = self.send("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": whole})
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def errors(self, clear=False):
        """What the console of this page has complained of so far; `clear` forgets it."""
        self.js("0")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            parameters = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"].get("exception", parameters)))
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
                found.append(str(parameters["args"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
        if clear:
            self.browser.events.clear()
        return found

    def close(self):
        self.browser.send("Target.closeTarget", {"targetId": self.target})
