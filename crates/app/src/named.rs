//! Streams whose errors name the file.

use std::io::{self, Read, Write};

/// A stream and the name of the file it reads or writes.
#[derive(Debug)]
pub struct Named<T> {
    name: String,
    stream: T,
}

impl<T> Named<T> {
    /// A stream with a name.
    pub fn new(name: String, stream: T) -> Named<T> {
        Named { name, stream }
    }

    /// The stream.
    pub fn into_inner(self) -> T {
        self.stream
    }
}

/// The same error with a name before it.
fn named(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(buffer);
        read.map_err(|error| named(&self.name, &error))
    }
}

impl<W: Write> Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stream.write(bytes);
        written.map_err(|error| named(&self.name, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.stream.flush();
        flushed.map_err(|error| named(&self.name, &error))
    }
}
