//! A response of JSON lines that is produced while it is sent, so that it takes little memory however long it is.

use axum::body::{Body, Bytes, HttpBody};
use http_body::Frame;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Portions that wait for a slow client.
const WAITING: usize = 1;

/// A body of portions that another task sends. An error ends it, and the client sees a response that is cut off.
pub struct LineStream(Receiver<io::Result<Bytes>>);

/// The sending end of a [`LineStream`].
pub type LineSender = Sender<io::Result<Bytes>>;

impl LineStream {
    /// Returns a body and its sending end, which fails once the client is gone.
    pub fn body() -> (LineSender, Body) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (sender, Body::new(Self(receiver)))
    }
}

impl HttpBody for LineStream {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let portion = self.0.poll_recv(context);
        portion.map(|portion| portion.map(|bytes| bytes.map(Frame::data)))
    }
}
