//! Chromium and its driver: found, started, stopped.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use thirtyfour::{
    CapabilitiesHelper, ChromiumLikeCapabilities, DesiredCapabilities, PageLoadStrategy, WebDriver,
};
use tokio::runtime::Runtime;

/// The user agent of a browser that people use: headless ones count as bots.
const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/// A running browser.
pub struct Driver {
    pub runtime: Runtime,
    pub browser: WebDriver,
    process: Child,
    _profile: TempDir,
}

impl Driver {
    /// Starts the browser; `None` if it or its driver is not installed.
    pub fn start() -> Option<Self> {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        let runtime = Runtime::new().expect("a runtime");
        let profile = TempDir::new().expect("a directory");
        let address = format!(
            "http://127.0.0.1:{}",
            port.expect("the driver names its port")
        );
        let browser = runtime.block_on(WebDriver::new(address, capabilities(&profile)));
        let Ok(browser) = browser else {
            process.kill().expect("the driver runs");
            process.wait().expect("the driver ends");
            return None;
        };
        Some(Self {
            runtime,
            browser,
            process,
            _profile: profile,
        })
    }
}

fn capabilities(profile: &TempDir) -> impl Into<thirtyfour::Capabilities> + use<> {
    let mut capabilities = DesiredCapabilities::chrome();
    // A page whose script hangs has no `load` event, and is used all the same.
    let strategy = capabilities.set_page_load_strategy(PageLoadStrategy::Eager);
    strategy.expect("a strategy");
    let profile = format!("--user-data-dir={}", profile.path().display());
    let agent = format!("--user-agent={AGENT}");
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
        "--lang=en",
        &profile,
        &agent,
    ];
    for argument in arguments {
        capabilities.add_arg(argument).expect("an argument");
    }
    capabilities
}

impl Drop for Driver {
    fn drop(&mut self) {
        let quit = self.runtime.block_on(self.browser.clone().quit());
        if let Err(error) = quit {
            eprintln!("the browser did not quit: {error}");
        }
        // A driver that is left running would keep the test's pipes open.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
