//! Recognises ZIP archives that were copied completely (PKWARE APPNOTE, section 4.3).

/// Start of the first file of an archive.
const LOCAL_FILE: &[u8] = b"PK\x03\x04";
/// Start of the record at the end of an archive.
const END_RECORD: &[u8] = b"PK\x05\x06";
/// Bytes of that record without its comment.
const END_BYTES: usize = 22;
/// Most bytes of the comment.
const COMMENT_MAX: usize = 0xffff;

/// Returns whether `bytes` are a whole archive with at least one file: its end record is there and describes a
/// directory within it.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let Some(last) = bytes.len().checked_sub(END_BYTES) else {
        return false;
    };
    let first = last.saturating_sub(COMMENT_MAX);
    bytes.starts_with(LOCAL_FILE)
        && (first..=last)
            .rev()
            .any(|at| ends_at(bytes, at) == Some(true))
}

/// Returns whether the record at `at` ends the archive.
fn ends_at(bytes: &[u8], at: usize) -> Option<bool> {
    let record = bytes.get(at..)?.strip_prefix(END_RECORD)?;
    let short = |from: usize| {
        Some(u16::from_le_bytes(
            record.get(from..from + 2)?.try_into().ok()?,
        ))
    };
    let long = |from: usize| {
        Some(u32::from_le_bytes(
            record.get(from..from + 4)?.try_into().ok()?,
        ))
    };
    let (entries, comment) = (short(6)?, short(16)?);
    let (size, offset) = (long(8)?, long(12)?);
    let directory_end = u64::from(offset) + u64::from(size);
    let record_end = at + END_BYTES + usize::from(comment);
    Some(entries > 0 && directory_end <= at as u64 && record_end == bytes.len())
}

#[cfg(test)]
mod tests {
    //! 1. A whole archive is recognised, with or without a comment; one that is cut anywhere is not.

    use super::*;

    fn archive(comment: &[u8]) -> Vec<u8> {
        let mut bytes = [LOCAL_FILE, b"a file and a directory"].concat();
        let offset = u32::try_from(bytes.len() - 11).expect("small");
        let mut record = [END_RECORD, &[0; 4]].concat();
        for short in [1_u16, 1] {
            record.extend(short.to_le_bytes());
        }
        record.extend(11_u32.to_le_bytes());
        record.extend(offset.to_le_bytes());
        record.extend(u16::try_from(comment.len()).expect("short").to_le_bytes());
        bytes.extend(record);
        bytes.extend(comment);
        bytes
    }

    #[test]
    fn only_whole_archives_are_recognised() {
        for comment in [b"".as_slice(), b"made by hand", b"PK\x05\x06"] {
            let whole = archive(comment);
            assert!(is_whole(&whole));
            for end in 0..whole.len() {
                assert!(!is_whole(&whole[..end]), "{end} of {}", whole.len());
            }
            assert!(!is_whole(&[whole.as_slice(), b"x"].concat()));
        }
        assert!(!is_whole(&[b'x'; 100]));
    }
}
