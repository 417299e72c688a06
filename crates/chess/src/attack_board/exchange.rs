//! Static exchange evaluation (placeholder).
