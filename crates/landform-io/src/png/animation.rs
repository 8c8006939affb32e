//! APNG: pictures that move, for browsers and chats. Programs that do not know it show the first frame.
//!
//! Source: PNG specification (third edition), "Animation".

use std::io::Write;

use super::stream::{Pixel, compress, write_chunk, write_header};
use super::whole_rows;
use crate::{Error, Format, Result};

/// An animation that is written frame by frame and runs for ever.
#[derive(Debug)]
pub struct Animation<W: Write> {
    out: W,
    size: [usize; 2],
    delay_ms: u16,
    /// Frames that are still to come.
    left: u32,
    is_first: bool,
    sequence: u32,
}

impl<W: Write> Animation<W> {
    /// Begins an animation of `frames` pictures of this size, each shown for so many milliseconds.
    ///
    /// # Errors
    /// If there is no frame, a side is too long, or writing fails.
    pub fn new(mut out: W, size: [usize; 2], frames: u32, delay_ms: u16) -> Result<Self> {
        if frames == 0 {
            let (found, expected) = ("0".to_owned(), "at least 1".to_owned());
            return Err(Error::Option { format: Format::Png, what: "frames", found, expected });
        }
        write_header(size, Pixel::Rgb8, &mut out)?;
        // The number of frames, and of plays: 0 is for ever.
        write_chunk(&mut out, *b"acTL", &[&frames.to_be_bytes(), &0_u32.to_be_bytes()])?;
        Ok(Self { out, size, delay_ms, left: frames, is_first: true, sequence: 0 })
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// If it has another size, is one too many, or writing fails.
    pub fn add(&mut self, pixels: &[[u8; 3]]) -> Result<()> {
        let [width, height] = self.size;
        if whole_rows(width, pixels.len())? != height || self.left == 0 {
            let (what, found) = ("frame", format!("{} pixels", pixels.len()));
            let expected = format!("{width} × {height} pixels, {} times more", self.left);
            return Err(Error::Option { format: Format::Png, what, found, expected });
        }
        self.left -= 1;
        let mut control = Vec::with_capacity(26);
        control.extend(self.next_number());
        for number in [width, height, 0, 0] {
            control.extend((number as u32).to_be_bytes());
        }
        control.extend(self.delay_ms.to_be_bytes());
        control.extend(1000_u16.to_be_bytes());
        // Nothing is cleared, and the frame replaces what was there.
        control.extend([0, 0]);
        write_chunk(&mut self.out, *b"fcTL", &[&control])?;
        let mut stream = Vec::new();
        let fill = |j: usize, bytes: &mut [u8]| {
            bytes.copy_from_slice(pixels[j * width..][..width].as_flattened());
        };
        compress(self.size, Pixel::Rgb8, fill, |parts| {
            parts.iter().for_each(|part| stream.extend_from_slice(part));
            Ok(())
        })?;
        if self.is_first {
            self.is_first = false;
            write_chunk(&mut self.out, *b"IDAT", &[&stream])?;
        } else {
            let number = self.next_number();
            write_chunk(&mut self.out, *b"fdAT", &[&number, &stream])?;
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If frames are missing, or writing fails.
    pub fn finish(mut self) -> Result<()> {
        if self.left > 0 {
            let (found, expected) = (format!("{} too few", self.left), "all".to_owned());
            return Err(Error::Option { format: Format::Png, what: "frames", found, expected });
        }
        write_chunk(&mut self.out, *b"IEND", &[])?;
        Ok(())
    }

    fn next_number(&mut self) -> [u8; 4] {
        let number = self.sequence.to_be_bytes();
        self.sequence += 1;
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_is_read_back() {
        let frame = |k: u8| -> Vec<[u8; 3]> { (0..20 * 7).map(|n| [n as u8, k, 9]).collect() };
        let mut bytes = Vec::new();
        let mut animation = Animation::new(&mut bytes, [20, 7], 3, 40).unwrap();
        for k in 0..3 {
            animation.add(&frame(k)).unwrap();
        }
        assert!(animation.add(&frame(3)).is_err());
        animation.finish().unwrap();
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 3);
        for k in 0..3 {
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            assert_eq!(pixels, frame(k).as_flattened(), "frame {k}");
            let control = reader.info().frame_control().unwrap();
            assert_eq!((control.delay_num, control.delay_den), (40, 1000));
        }
    }

    #[test]
    fn missing_frames_are_an_error() {
        let animation = Animation::new(Vec::new(), [2, 2], 2, 40).unwrap();
        assert!(animation.finish().is_err());
        assert!(Animation::new(Vec::new(), [2, 2], 0, 40).is_err());
    }
}
