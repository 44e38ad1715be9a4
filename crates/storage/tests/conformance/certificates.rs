//! Certificates for tests, made by `openssl`.

use std::path::Path;
use std::process::Command;

/// Makes a key and a certificate for `localhost` in `server.key` and `server.pem` of a folder, of an authority of its own, whose
/// certificate is in `ca.pem`.
pub fn certify_localhost(folder: &Path) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(
        folder,
        &format!("req -x509 {key} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem"),
    );
    openssl(
        folder,
        &format!("req {key} -subj /CN=localhost -keyout server.key -out server.csr"),
    );
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost\n").expect("written");
    let signed = "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem";
    openssl(folder, signed);
}

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    command.args(arguments.split(' ')).current_dir(folder);
    let output = command.output().expect("openssl is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "openssl {arguments}: {errors}");
}
