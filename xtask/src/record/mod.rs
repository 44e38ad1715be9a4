//! `record`: what a server returns for a committed list of searches and simulations, so that two builds can be compared
//! bit for bit: numbers are written as they came.

mod requests;
mod store;

use crate::client::Client;
use crate::failure::{Failure, Outcome};
use crate::process::{self, Server, UNLIMITED};
use requests::{Face, Recorded};
use serde_json::Value;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Members of a response that differ between two runs of the same build.
const VOLATILE: [&str; 2] = ["tookMs", "queryId"];

/// Options of `record`.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of test data, with `icecat-chorus` and `mercadona-es` in it.
    #[arg(long)]
    data: PathBuf,
    /// The binary that is recorded; built from this checkout if it is left out.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// The file that is written: a line for each request, then one for its response.
    #[arg(long)]
    to: PathBuf,
}

/// Feeds the catalogues, sends every request of the list and writes the responses.
pub fn run(options: &Options) -> Outcome<()> {
    let list = requests::List::read()?;
    let binary = process::named_or_built(options.binary.as_deref())?;
    let server = Server::start_binary(binary, &UNLIMITED)?;
    let store = store::fill(&server, &options.data, &list)?;
    let shopper = Client::new(server.address(), &store.public);
    let owner = Client::new(server.address(), &store.configuration);
    let path = options.to.display();
    let mut file = BufWriter::new(File::create(&options.to).map_err(Failure::of(&path))?);
    let recorded = list.requests();
    for Recorded { face, body } in &recorded {
        let mut response = match face {
            Face::Search => shopper.post("/search", body)?,
            Face::Simulator => owner.post(&format!("/stores/{}/relevance/test", store.id), body)?,
        };
        VOLATILE.iter().for_each(|name| remove(&mut response, name));
        // Ids of records are random.
        let records = store.records.iter().enumerate();
        let response = records.fold(response.to_string(), |text, (number, id)| {
            text.replace(id, &format!("record {number}"))
        });
        writeln!(file, "{face:?} {body}\n{response}").map_err(Failure::of(&path))?;
    }
    file.flush().map_err(Failure::of(&path))?;
    println!("{} responses in {path}", recorded.len());
    Ok(())
}

fn remove(response: &mut Value, name: &str) {
    if let Some(members) = response.as_object_mut() {
        members.shift_remove(name);
    }
}
