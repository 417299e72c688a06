//! What can be wrong with an archive.

use core::fmt;

use codec::CodecError;

/// Why a row cannot be read though all checksums are right: only a faulty program writes such.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RowFault {
    /// A column is missing, or holds something else than it must.
    Column {
        /// Its name.
        column: &'static str,
    },
    /// The flags are none.
    Flags,
    /// The tags do not fit their order.
    Tags,
    /// The moves are none.
    Moves(CodecError),
    /// The annotations are none, or do not fit clocks and evaluations.
    Notes,
    /// The layout is missing or not known.
    Layout,
    /// The difference is none.
    Difference,
}

impl fmt::Display for RowFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowFault::Column { column } => write!(f, "column {column}: missing or of another type"),
            RowFault::Flags => f.write_str("column flags: a value without meaning"),
            RowFault::Tags => f.write_str("column tag_order: does not fit the tags"),
            RowFault::Moves(error) => write!(f, "column moves: {error}"),
            RowFault::Notes => f.write_str("column annotations: notes without meaning"),
            RowFault::Layout => f.write_str("column layout: missing or not known"),
            RowFault::Difference => f.write_str("column difference: without meaning"),
        }
    }
}

/// What is wrong with an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArchiveFault {
    /// The file is no Parquet file.
    NotParquet,
    /// A Parquet file that is no archive of ours.
    NotAnArchive,
    /// The file ends too early: it was cut, or is being written.
    Truncated,
    /// The format is newer than this program.
    Newer {
        /// The version of the file.
        found: u32,
        /// The newest version that is known.
        known: u32,
    },
    /// The moves were encoded with a model that this program does not have.
    Model {
        /// The number and the hash of the model in the file.
        found: String,
        /// Those of the model that is known.
        known: String,
    },
    /// The footer is not what its checksum says.
    FooterChecksum {
        /// The checksum in the file.
        stored: u32,
        /// That of the bytes.
        computed: u32,
    },
    /// The footer says something that cannot be.
    Footer {
        /// What.
        what: &'static str,
    },
    /// A column chunk is not what its checksum says.
    Checksum {
        /// The number of the row group, from 0.
        row_group: usize,
        /// The column.
        column: String,
        /// The checksum in the file.
        stored: u32,
        /// That of the bytes.
        computed: u32,
    },
    /// The bytes of a row group are no Parquet, though the checksums are right.
    Parquet {
        /// The number of the row group, from 0.
        row_group: usize,
        /// The column and what is wrong with it.
        message: String,
    },
    /// A row cannot be read.
    Row {
        /// The number of the row group, from 0.
        row_group: usize,
        /// The number of the row in the archive, from 1.
        row: u64,
        /// What is wrong.
        fault: RowFault,
    },
    /// Archives that are not alike cannot be merged.
    Unlike {
        /// The number of the archive that differs from the first, from 1.
        archive: usize,
        /// What it has.
        what: &'static str,
    },
    /// A text did not come back as it was: a fault of this program, found before anything was
    /// written.
    Proof {
        /// The byte of the inputs, one after the other, from which the texts may differ.
        offset: u64,
    },
}

impl fmt::Display for ArchiveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveFault::NotParquet => f.write_str("not an archive: no Parquet file"),
            ArchiveFault::NotAnArchive => {
                f.write_str("not an archive: a Parquet file without chess games of ours")
            }
            ArchiveFault::Truncated => {
                f.write_str("the end is missing: the file was cut off or never finished")
            }
            ArchiveFault::Newer { found, known } => write!(
                f,
                "format version {found} is newer than this program, which knows version {known}"
            ),
            ArchiveFault::Model { found, known } => write!(
                f,
                "the moves were encoded with model {found}, this program has model {known}; \
                 use a newer program"
            ),
            ArchiveFault::FooterChecksum { stored, computed } => write!(
                f,
                "damaged: the checksum of the footer is {computed:08x}, the file says {stored:08x}"
            ),
            ArchiveFault::Footer { what } => write!(f, "damaged: the footer's {what}"),
            ArchiveFault::Checksum {
                row_group,
                column,
                stored,
                computed,
            } => write!(
                f,
                "damaged: row group {row_group}, column {column}: the checksum is {computed:08x}, \
                 the file says {stored:08x}"
            ),
            ArchiveFault::Parquet { row_group, message } => {
                write!(f, "row group {row_group}: {message}")
            }
            ArchiveFault::Row {
                row_group,
                row,
                fault,
            } => write!(f, "row group {row_group}, game {row}: {fault}"),
            ArchiveFault::Unlike { archive, what } => write!(
                f,
                "archive {archive} has {what} than the first: row groups cannot be copied; unpack both \
                 and pack them together"
            ),
            ArchiveFault::Proof { offset } => write!(
                f,
                "the text does not come back the same from byte {offset} of the input; nothing was \
                 written. This is a fault of the program, please report it"
            ),
        }
    }
}

impl core::error::Error for ArchiveFault {}
