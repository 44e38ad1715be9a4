//! Currencies by code and by symbol.

/// Codes of ISO 4217.
const CODES: &str = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD \
     CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD \
     HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD \
     MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON \
     RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX \
     USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL";

/// Symbols with the currencies that are written so; the first of several is no default.
const SYMBOLS: [(&str, &[&str]); 27] = [
    ("€", &["EUR"]),
    ("£", &["GBP"]),
    ("US$", &["USD"]),
    (
        "$",
        &[
            "USD", "CAD", "AUD", "MXN", "ARS", "CLP", "COP", "NZD", "SGD", "HKD", "UYU",
        ],
    ),
    ("R$", &["BRL"]),
    ("A$", &["AUD"]),
    ("C$", &["CAD"]),
    ("CA$", &["CAD"]),
    ("AU$", &["AUD"]),
    ("MX$", &["MXN"]),
    ("¥", &["JPY", "CNY"]),
    ("zł", &["PLN"]),
    ("Kč", &["CZK"]),
    ("Ft", &["HUF"]),
    ("kr", &["SEK", "NOK", "DKK", "ISK"]),
    ("kr.", &["DKK", "ISK", "NOK", "SEK"]),
    ("lei", &["RON", "MDL"]),
    ("лв", &["BGN"]),
    ("лв.", &["BGN"]),
    ("₽", &["RUB"]),
    ("₴", &["UAH"]),
    ("₺", &["TRY"]),
    ("₹", &["INR"]),
    ("₩", &["KRW"]),
    ("₪", &["ILS"]),
    ("Fr.", &["CHF"]),
    ("S/", &["PEN"]),
];

/// What a text beside a number says about its currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenCurrency {
    /// Nothing.
    None,
    /// A code.
    Code(String),
    /// A symbol of one of several currencies.
    Symbol(&'static [&'static str]),
    /// Something else.
    Unknown,
}

impl WrittenCurrency {
    /// Returns the currency of a text before or behind a number.
    pub fn of(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::None;
        }
        let upper = text.to_uppercase();
        if upper.len() == 3 && CODES.split_whitespace().any(|code| code == upper) {
            return Self::Code(upper);
        }
        let lower = text.to_lowercase();
        let symbol = SYMBOLS
            .iter()
            .find(|(symbol, _)| symbol.to_lowercase() == lower);
        match symbol {
            Some((_, [code])) => Self::Code((*code).to_owned()),
            Some((_, codes)) => Self::Symbol(codes),
            None => Self::Unknown,
        }
    }
}

/// Returns whether a text is a code of ISO 4217.
pub fn is_code(text: &str) -> bool {
    text.len() == 3 && CODES.split_whitespace().any(|code| code == text)
}
