//! The numbers that the search log adds up, by their columns.

/// One number of a query or a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogCount {
    /// Searches that count, with a query.
    Searches,
    /// Searches without a query.
    Browses,
    /// Searches without a visitor token.
    Anonymous,
    /// Searches of a session.
    Tracked,
    /// Searches of a session that found products.
    TrackedFound,
    /// Searches without filters and redirect that found no product.
    WithoutResults,
    /// Searches with filters.
    Filtered,
    /// Clicks on anything.
    Clicks,
    /// Searches of a session with a click on a product.
    Clicked,
    /// Sum of the positions of clicks on products.
    Positions,
    /// Clicks on products with a position.
    Positioned,
    /// Events of type cart.
    Carts,
    /// Events of type purchase.
    Purchases,
    /// Searches of a session with a cart or a purchase.
    Converted,
    /// Records that were not counted because of a bound.
    Dropped,
}

const COUNTS: usize = 15;

impl LogCount {
    /// The numbers of a query.
    pub(crate) const OF_QUERY: [Self; 13] = [
        Self::Searches,
        Self::Anonymous,
        Self::Tracked,
        Self::TrackedFound,
        Self::WithoutResults,
        Self::Filtered,
        Self::Clicks,
        Self::Clicked,
        Self::Positions,
        Self::Positioned,
        Self::Carts,
        Self::Purchases,
        Self::Converted,
    ];

    /// The numbers of a total.
    pub(crate) const OF_TOTAL: [Self; 14] = [
        Self::Searches,
        Self::Browses,
        Self::Tracked,
        Self::TrackedFound,
        Self::WithoutResults,
        Self::Filtered,
        Self::Clicks,
        Self::Clicked,
        Self::Positions,
        Self::Positioned,
        Self::Carts,
        Self::Purchases,
        Self::Converted,
        Self::Dropped,
    ];

    /// Returns the name of the column.
    pub(crate) fn column(self) -> &'static str {
        match self {
            Self::Searches => "searches",
            Self::Browses => "browses",
            Self::Anonymous => "anonymous",
            Self::Tracked => "tracked",
            Self::TrackedFound => "tracked_found",
            Self::WithoutResults => "without_results",
            Self::Filtered => "filtered",
            Self::Clicks => "clicks",
            Self::Clicked => "clicked",
            Self::Positions => "positions",
            Self::Positioned => "positioned",
            Self::Carts => "carts",
            Self::Purchases => "purchases",
            Self::Converted => "converted",
            Self::Dropped => "dropped",
        }
    }
}

/// Numbers of one query or total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogCounts([i64; COUNTS]);

impl LogCounts {
    /// Returns one of the numbers.
    pub fn get(&self, count: LogCount) -> i64 {
        self.0[count as usize]
    }

    /// Adds `number` to one of the numbers.
    pub fn add(&mut self, count: LogCount, number: i64) {
        let sum = &mut self.0[count as usize];
        *sum = sum.saturating_add(number);
    }

    /// Adds all numbers of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (sum, number) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(number);
        }
    }
}
