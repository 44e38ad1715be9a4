//! Starts and stops a server: data directory lock, listeners, service, administration socket, router.

use crate::App;
use crate::admin::{AdminSocket, Administered};
use crate::data_dir::{self, DirError, Lock};
use crate::http::connection_table::ConnectionTable;
pub use crate::http::connection_table::{CONNECTIONS_PER_ADDRESS, ConnectionLimits};
use crate::http::connections;
pub use crate::http::connections::Patience;
use crate::http::in_flight::BodyMemory;
pub use crate::http::proxies::{Proxies, ProxyHeader};
use crate::http::public_address::PublicAddress;
use crate::http::request_id::RequestIds;
use crate::imports::Uploads;
use crate::mcp;
pub use crate::mcp::ToolServer;
use crate::metrics::{self, Requests, SourceMetrics};
pub use crate::panel::PanelOptions;
use crate::panel::{self, Panel, PanelAddresses, PanelUrl};
use crate::router;
use crate::sources::SourceJob;
pub use crate::start_error::StartError;
use crate::widget::WidgetFiles;
use crate::{api, catalogue};
use axum::Router;
use operations::clock::{Clock, SystemClock};
use operations::rates::Rates;
use operations::search_log::SearchLogOptions;
use operations::sources::SourceOptions;
use operations::{DataLocations, OPEN_INDEXES_MAX, REMEMBER_MAX, Service, ServiceOptions};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long requests in flight may take once the server is stopping.
const STOP_TIME: Duration = Duration::from_secs(10);

/// Connection limits of the metrics address.
const METRICS_CONNECTIONS: ConnectionLimits = ConnectionLimits {
    all: 64,
    per_address: 0,
};

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The data directory.
    pub data: PathBuf,
    /// Where the data is that is not in it.
    pub locations: DataLocations,
    /// The address to listen on; port 0 picks a free port.
    pub listen: SocketAddr,
    /// A separate address for the metrics.
    pub metrics_listen: Option<SocketAddr>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The trusted proxies.
    pub proxies: Proxies,
    /// Timeouts of clients.
    pub patience: Patience,
    /// Connection limits.
    pub connections: ConnectionLimits,
    /// Maximum idle indexes that stay open.
    pub open_indexes_max: usize,
    /// Rate limits per key.
    pub rates: Rates,
    /// Hosts and origins that may use the MCP server.
    pub tools: ToolServer,
    /// Address of the server as clients call it, without the path of the API; `None` if it is not known.
    pub public_url: Option<String>,
    /// Folder of the releases of the shop module; `releases` of the data directory if not set.
    pub releases: Option<PathBuf>,
    /// How long and how large the search log may become.
    pub search_log: SearchLogOptions,
    /// How long a search takes that is logged with its stages; none is if not set.
    pub slow_searches: Option<Duration>,
    /// The control panel.
    pub panel: PanelOptions,
    /// What is fetched, and from where.
    pub sources: SourceOptions,
    /// For how long a search-only key that was read is accepted while a database on a server does not respond.
    pub remember_keys: Duration,
    /// Data directory of another server, or a backup, out of which indexes are copied that are missing here.
    pub copy_indexes_from: Option<PathBuf>,
}

impl ServerOptions {
    /// Creates the options of a server for `data` that listens on `listen`, with defaults for the rest.
    pub fn new(data: PathBuf, listen: SocketAddr) -> Self {
        Self {
            data,
            locations: DataLocations::default(),
            listen,
            metrics_listen: None,
            clock: Arc::new(SystemClock),
            proxies: Proxies::default(),
            patience: Patience::default(),
            connections: ConnectionLimits::default(),
            open_indexes_max: OPEN_INDEXES_MAX,
            rates: Rates::default(),
            tools: ToolServer::default(),
            public_url: None,
            releases: None,
            search_log: SearchLogOptions::default(),
            slow_searches: None,
            panel: PanelOptions::default(),
            sources: SourceOptions::default(),
            remember_keys: REMEMBER_MAX,
            copy_indexes_from: None,
        }
    }
}

/// Returns the control panel of a server that listens on `address`, if there is one.
fn running_panel(
    options: &PanelOptions,
    public_url: Option<&str>,
    address: SocketAddr,
) -> Option<Panel> {
    if !options.enabled {
        return None;
    }
    let addresses = PanelAddresses::new(&options.urls, public_url, address);
    if addresses.is_none() {
        tracing::info!("no control panel: name its address with --panel-url");
    }
    let addresses = addresses?;
    let public = public_url.map(str::to_owned);
    Some(Panel {
        public_url: public.unwrap_or_else(|| addresses.first().to_string()),
        addresses,
        session_max: options.sessions.max,
        demo: options.demo && address.ip().is_loopback(),
    })
}

/// Creates the data directory if it is missing, and takes its lock.
fn lock_dir(data: &Path) -> Result<Lock, DirError> {
    data_dir::create(data).map_err(|source| DirError::Unusable {
        dir: data.to_owned(),
        source,
    })?;
    data_dir::warn_if_open(data);
    Lock::take(data)
}

/// A server that holds its directory lock and port but does not serve yet.
pub struct PreparedServer {
    lock: Lock,
    listener: TcpListener,
    address: SocketAddr,
    metrics: Option<(TcpListener, SocketAddr)>,
    data: PathBuf,
    app: App,
    tools: ToolServer,
    panel: Option<Panel>,
}

/// Opens the imports of the control panel in the data directory.
async fn uploads(
    service: &Service,
    clock: Arc<dyn Clock>,
    data: &Path,
    metrics: Arc<SourceMetrics>,
) -> Result<Uploads, StartError> {
    let opened = Uploads::open(service, clock, data, metrics).await;
    let opened = opened.map_err(|source| DirError::Unusable {
        dir: data.to_owned(),
        source,
    });
    Ok(opened?)
}

/// Binds a listener to `address`; returns it with the bound address.
async fn bind(address: SocketAddr) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |source| StartError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    Ok((listener, bound))
}

async fn bind_metrics(
    listen: Option<SocketAddr>,
) -> Result<Option<(TcpListener, SocketAddr)>, StartError> {
    match listen {
        Some(listen) => Ok(Some(bind(listen).await?)),
        None => Ok(None),
    }
}

impl PreparedServer {
    /// Takes the lock, binds the port and opens the data.
    pub async fn new(options: ServerOptions) -> Result<Self, StartError> {
        let ServerOptions {
            data,
            locations,
            listen,
            metrics_listen,
            clock,
            proxies,
            patience,
            connections,
            open_indexes_max,
            rates,
            tools,
            public_url,
            releases,
            search_log,
            slow_searches,
            panel,
            sources,
            remember_keys,
            copy_indexes_from,
        } = options;
        let lock = lock_dir(&data)?;
        let (listener, address) = bind(listen).await?;
        let metrics = bind_metrics(metrics_listen).await?;
        let service = Service::open(ServiceOptions {
            locations,
            clock: Arc::clone(&clock),
            open_indexes_max,
            rates,
            releases,
            search_log,
            slow_searches,
            sources,
            remember_keys,
            copy_indexes_from,
            sessions: panel.sessions,
            ..ServiceOptions::new(data.clone())
        })
        .await
        .map_err(StartError::from_operation)?;
        let counted = Arc::new(SourceMetrics::new()?);
        let imports = uploads(&service, clock, &data, Arc::clone(&counted)).await?;
        let proxies = Arc::new(proxies);
        let panel = running_panel(&panel, public_url.as_deref(), address);
        let public = PublicAddress::new(public_url);
        Ok(Self {
            lock,
            listener,
            address,
            metrics,
            data,
            tools,
            panel,
            app: App {
                service,
                connections: Arc::new(ConnectionTable::new(connections, Arc::clone(&proxies))),
                memory: Arc::new(BodyMemory::default()),
                proxies,
                patience,
                requests: Arc::new(Requests::new(router::operations())?),
                sources: counted,
                widget: Arc::new(WidgetFiles::new(public.named_api().as_deref())),
                address: Arc::new(public),
                imports,
            },
        })
    }

    /// Returns the service.
    pub fn service(&self) -> &Service {
        &self.app.service
    }

    /// Returns the bound address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The data directory.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Returns the address of the control panel, if there is one.
    pub fn panel_url(&self) -> Option<&PanelUrl> {
        self.panel.as_ref().map(|panel| panel.addresses.first())
    }

    /// Serves the API and the routes that `more` returns.
    pub fn serve_with(self, more: impl FnOnce(App) -> Router<App>) -> Result<Running, StartError> {
        let more = more(self.app.clone());
        let ids = Arc::new(RequestIds::new()?);
        let socket = AdminSocket::bind(&self.data, &self.lock).map_err(StartError::Socket)?;
        catalogue::compile_inputs(api::all().chain(panel::call_rows()));
        let app = self.app;
        let local = self.address.ip().is_loopback();
        let (stop, stopped) = watch::channel(false);
        let serve = |listener, paths, connections| {
            let paths = router::serve(paths, app.clone(), Arc::clone(&ids), local);
            tokio::spawn(connections::serve(
                listener,
                paths,
                app.patience,
                connections,
                stopped.clone(),
            ))
        };
        let tools = mcp::paths(app.clone(), &self.tools);
        let mut paths = router::paths().merge(tools).merge(more);
        let panel_url = self
            .panel
            .as_ref()
            .map(|panel| panel.addresses.first().clone());
        if let Some(panel) = self.panel {
            paths = paths.merge(panel::paths(&app, panel));
        }
        if self.metrics.is_none() {
            paths = paths.merge(metrics::local_path(app.clone(), self.tools.all_hosts()));
        }
        let mut http = vec![serve(self.listener, paths, Arc::clone(&app.connections))];
        let metrics = self.metrics.map(|(listener, address)| {
            // Monitoring must not be locked out by the connections of clients.
            let metrics_connections =
                ConnectionTable::new(METRICS_CONNECTIONS, Arc::clone(&app.proxies));
            http.push(serve(
                listener,
                metrics::path(),
                Arc::new(metrics_connections),
            ));
            address
        });
        let data = self.data.display();
        let hosts = self.tools.all_hosts().join(", ");
        tracing::info!(
            hosts,
            origins = self.tools.all_origins().join(", "),
            "MCP server at /mcp, only for these hosts and origins"
        );
        match metrics {
            Some(metrics) => tracing::info!(address = %self.address, %metrics, %data, "listening"),
            None => tracing::info!(address = %self.address, %data, "listening"),
        }
        let administered = Administered::new(&app, panel_url.clone());
        let admin = socket.serve(administered, stopped);
        Ok(Running {
            address: self.address,
            panel_url,
            metrics,
            http,
            admin: tokio::spawn(admin),
            sources: SourceJob::start(app.service.clone(), &self.data, app.sources),
            service: app.service,
            stop,
            _lock: self.lock,
        })
    }
}

/// A running server.
pub struct Running {
    address: SocketAddr,
    panel_url: Option<PanelUrl>,
    metrics: Option<SocketAddr>,
    http: Vec<JoinHandle<()>>,
    admin: JoinHandle<()>,
    sources: SourceJob,
    service: Service,
    stop: watch::Sender<bool>,
    _lock: Lock,
}

impl Running {
    /// Returns the address of the server.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the control panel, if there is one.
    pub fn panel_url(&self) -> Option<&PanelUrl> {
        self.panel_url.as_ref()
    }

    /// Returns the separate address of the metrics, if there is one.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics
    }

    /// Returns the service, for code in the same process.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Stops the server: accepts no new requests, finishes those in flight, closes the data.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        let ended = async {
            for http in self.http {
                let _ = http.await;
            }
            let _ = self.admin.await;
        };
        if tokio::time::timeout(STOP_TIME, ended).await.is_err() {
            tracing::warn!("some requests took too long and were aborted");
        }
        self.sources.stop().await;
        self.service.close().await;
    }
}

/// Starts a server that serves the API and nothing else.
///
/// Errors: as [`PreparedServer::new`] and [`PreparedServer::serve_with`].
pub async fn start(options: ServerOptions) -> Result<Running, StartError> {
    PreparedServer::new(options)
        .await?
        .serve_with(|_| Router::new())
}
