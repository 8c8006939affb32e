//! A server of files for this machine alone, for pages that browsers do not open from a disk.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;

use anyhow::{Context as _, Result};

/// Serves `folder` until the program is ended.
pub(crate) fn serve(folder: &Path, port: u16) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("cannot use port {port}"))?;
    println!("http://localhost:{}/ (Ctrl-C ends)", listener.local_addr()?.port());
    for stream in listener.incoming() {
        // A browser that goes away is no reason to stop.
        let _ = stream.map(|stream| answer(folder, stream));
    }
    Ok(())
}

fn answer(folder: &Path, mut stream: TcpStream) -> Result<()> {
    let mut request = String::new();
    let mut reader = BufReader::new(stream.try_clone()?).take(16_384);
    reader.read_line(&mut request)?;
    let mut header = String::new();
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let asked = request.split(' ').nth(1).unwrap_or("/");
    let found = file_name(asked).and_then(|name| {
        let bytes = std::fs::read(folder.join(&name)).ok()?;
        Some((name, bytes))
    });
    let Some((name, bytes)) = found else {
        let nothing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        stream.write_all(nothing.as_bytes())?;
        return Ok(());
    };
    let kind = match Path::new(&name).extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let length = bytes.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Cache-Control: no-cache\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&bytes)?;
    Ok(())
}

/// The file inside of the folder that was asked for.
fn file_name(asked: &str) -> Option<String> {
    let path = asked.split(['?', '#']).next()?.trim_start_matches('/');
    let is_inside = path.split('/').all(|part| part != ".." && !part.contains('\\'));
    let name = if path.is_empty() { "index.html" } else { path };
    (is_inside && !Path::new(name).is_absolute()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_inside_of_the_folder_are_given() {
        assert_eq!(file_name("/").as_deref(), Some("index.html"));
        assert_eq!(file_name("/a/b.js?x=1").as_deref(), Some("a/b.js"));
        assert_eq!(file_name("/../secret"), None);
        assert_eq!(file_name("/a/../../secret"), None);
        assert_eq!(file_name("//etc/passwd").as_deref(), Some("etc/passwd"));
    }
}
