//! A real browser, driven over the WebDriver protocol: JSON in HTTP, one connection per command.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The time that a page has for what a test waits for.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the browser must not do: ask anything of the network, or keep anything.
const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
];

/// A browser with one window.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// The special keys of the protocol.
pub mod keys {
    pub const ENTER: &str = "\u{e007}";
    pub const ESCAPE: &str = "\u{e00c}";
    pub const DOWN: &str = "\u{e015}";
    pub const RIGHT: &str = "\u{e014}";
    pub const LEFT: &str = "\u{e012}";
}

impl Browser {
    /// Starts one that keeps its profile in an empty folder; nothing if none is installed.
    pub fn start(profile: &Path) -> Option<Browser> {
        let mut command = Command::new("chromedriver");
        let mut driver = command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut said = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
        let port = said.find_map(|line| {
            line.ok()?.split("started successfully on port ").nth(1)?.trim_end_matches('.').parse().ok()
        });
        // It must not stop where no one reads what it says.
        std::thread::spawn(move || said.for_each(drop));
        let mut browser = Browser { driver, port: port.expect("chromedriver names its port"), session: String::new() };
        let profile = format!("--user-data-dir={}", profile.display());
        let arguments: Vec<&str> = ARGUMENTS.into_iter().chain([profile.as_str()]).collect();
        let options = json!({ "args": arguments });
        let wanted = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": options } } });
        let started = browser.ask("POST", "/session", &wanted);
        browser.session = started["sessionId"].as_str().expect("a session").to_owned();
        Some(browser)
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        self.command("url", &json!({ "url": address }));
    }

    /// Sets the size of the window.
    pub fn resize(&self, width: u32, height: u32) {
        self.command("window/rect", &json!({ "width": width, "height": height }));
    }

    /// Says which colours the system prefers.
    pub fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let params = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": features } });
        self.command("goog/cdp/execute", &params);
    }

    /// The value of an expression in the page.
    pub fn value(&self, expression: &str) -> Value {
        self.command("execute/sync", &json!({ "script": format!("return {expression}"), "args": [] }))
    }

    /// The text of the first element of a selector.
    pub fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({selector:?})?.textContent"));
        text.as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let began = Instant::now();
        while self.value(expression) != json!(true) {
            let page = || self.value("document.title + ' ' + location.hash");
            assert!(began.elapsed() < PATIENCE, "never true: {expression} in {}", page());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks where the first element of a selector is.
    pub fn click(&self, selector: &str) {
        let element = self.command("element", &json!({ "using": "css selector", "value": selector }));
        let id = element.as_object().and_then(|object| object.values().next()?.as_str());
        let id = id.unwrap_or_else(|| panic!("no {selector}"));
        self.command(&format!("element/{id}/click"), &json!({}));
    }

    /// Presses keys, one after the other.
    pub fn press(&self, keys: &str) {
        let steps = keys.chars().flat_map(|key| {
            let key = key.to_string();
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": steps.collect::<Vec<Value>>() });
        self.command("actions", &json!({ "actions": [keyboard] }));
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}/{name}", self.session), body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver answers");
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        let length = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{length}{body}").as_bytes()).expect("chromedriver reads");
        let answer = answer(&mut BufReader::new(stream));
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert!(answer["value"]["error"].is_null(), "{path} {body}: {}", answer["value"]["message"]);
        answer["value"].clone()
    }
}

/// The body of an answer, whose head says how long it is.
fn answer(reader: &mut impl BufRead) -> Vec<u8> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    body
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !std::thread::panicking() && !self.session.is_empty() {
            self.ask("DELETE", &format!("/session/{}", self.session), &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
