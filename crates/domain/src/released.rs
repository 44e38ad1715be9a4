//! The released versions of the shop module, by platform.

/// The latest module of each platform; no module has been released yet.
const LATEST: &[(&str, &str)] = &[];

/// Returns the latest module for the platform of a client header.
///
/// Shape: `<platform>/<module_version>; …`.
pub fn latest(client: &str) -> Option<&'static str> {
    of_client(LATEST, client)
}

fn of_client<'a>(table: &[(&str, &'a str)], client: &str) -> Option<&'a str> {
    let (platform, _) = client.split_once('/')?;
    let row = table.iter().find(|(known, _)| *known == platform.trim());
    row.map(|(_, version)| *version)
}

/// Returns whether version `latest` is higher than `own`; false if either is not of three numbers.
pub fn is_newer(latest: &str, own: &str) -> bool {
    numbers(latest)
        .zip(numbers(own))
        .is_some_and(|(latest, own)| latest > own)
}

fn numbers(version: &str) -> Option<[u32; 3]> {
    let parts: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_part_numbers_are_compared_as_numbers() {
        assert!(is_newer("1.10.0", "1.9.9") && is_newer("2.0.0", "1.99.99"));
        assert!(!is_newer("1.2.3", "1.2.3") && !is_newer("1.2.3", "1.2.4"));
        assert!(!is_newer("1.2.3", "1.2") && !is_newer("1.2.3", "dev"));
    }

    #[test]
    fn the_client_header_names_the_platform() {
        let table = [("prestashop", "1.2.0"), ("other", "3.0.0")];
        let client = "prestashop/1.1.0; platform=8.1.0; php=8.2";
        assert_eq!(of_client(&table, client), Some("1.2.0"));
        assert_eq!(of_client(&table, "unknown/1.0.0"), None);
        assert_eq!(latest(client), None);
    }
}
