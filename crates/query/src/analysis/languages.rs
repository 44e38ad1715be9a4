//! The table of languages: one row each, and the only place with knowledge of a language.
//!
//! `docs/languages.md` shows the same table; a test compares the two.

use frostem::Algorithm;

/// The analysis of one language; a language without a row uses [`PLAIN`].
#[derive(Clone, Copy)]
pub(super) struct LanguageRow {
    /// Name, for the documentation.
    pub name: &'static str,
    /// Codes, without regions.
    pub codes: &'static [&'static str],
    /// The Snowball algorithm that stems its words.
    pub algorithm: Option<Algorithm>,
    /// Endings replaced before stemming, as `ending>replacement`: plurals that the algorithm does not handle, and accents
    /// that it expects but folding removed.
    pub endings: &'static str,
    /// Words so common that they say nothing about a product. Words that change the meaning of a query (not, without,
    /// under) and words that also name a thing are not stop words.
    pub stop_words: &'static str,
    /// Articles and the like that are elided before an apostrophe.
    pub elided: &'static str,
    /// The linking elements of compounds; none for a language without compounds.
    pub links: Option<&'static str>,
    /// Whether the capital of `ı` is `I`.
    pub dotless: bool,
}

/// The analysis of every other language: words, lower case, no accents.
pub(super) const PLAIN: LanguageRow = LanguageRow {
    name: "",
    codes: &[],
    algorithm: None,
    endings: "",
    stop_words: "",
    elided: "",
    links: None,
    dotless: false,
};

impl LanguageRow {
    const fn new(name: &'static str, codes: &'static [&'static str]) -> Self {
        Self {
            name,
            codes,
            ..PLAIN
        }
    }

    const fn stemmed(self, algorithm: Algorithm) -> Self {
        let algorithm = Some(algorithm);
        Self { algorithm, ..self }
    }

    const fn endings(self, endings: &'static str) -> Self {
        Self { endings, ..self }
    }

    const fn stop(self, stop_words: &'static str) -> Self {
        Self { stop_words, ..self }
    }

    const fn elided(self, elided: &'static str) -> Self {
        Self { elided, ..self }
    }

    const fn compounds(self, links: &'static str) -> Self {
        let links = Some(links);
        Self { links, ..self }
    }

    const fn dotless(self) -> Self {
        let dotless = true;
        Self { dotless, ..self }
    }

    /// The decimal separator (CLDR); the separator of thousands is the other one.
    pub fn decimal(&self) -> char {
        /// Languages that write a decimal point.
        const POINT: [&str; 20] = [
            "en", "zh", "ja", "ko", "th", "he", "hi", "ne", "ta", "my", "lo", "km", "ga", "mt",
            "ms", "fa", "ur", "bn", "ar", "cy",
        ];
        match self.codes.iter().any(|code| POINT.contains(code)) {
            true => '.',
            false => ',',
        }
    }

    /// Whether people spell its umlauts `ae`, `oe` and `ue` on a foreign keyboard.
    pub fn spells_umlauts(&self) -> bool {
        const CODES: [&str; 6] = ["de", "da", "sv", "nb", "fi", "is"];
        self.codes.iter().any(|code| CODES.contains(code))
    }

    /// The row of a language by its code without region.
    pub fn of(base: &str) -> &'static Self {
        static OTHER: LanguageRow = PLAIN;
        let row = LANGUAGES.iter().find(|row| row.codes.contains(&base));
        row.unwrap_or(&OTHER)
    }
}

#[rustfmt::skip]
pub(super) static LANGUAGES: [LanguageRow; 55] = [
    LanguageRow::new("Arabic", &["ar"]).stemmed(Algorithm::Arabic).endings("ات>ة ه>ة")
        .stop("و في من على إلى عن مع أو هذا هذه ذلك التي الذي أن هو هي كما ثم"),
    LanguageRow::new("Armenian", &["hy"]).stemmed(Algorithm::Armenian).stop("և ու կամ է են"),
    LanguageRow::new("Azerbaijani", &["az"]).dotless().stop("bir bu da də ilə ki o üçün və ya"),
    LanguageRow::new("Basque", &["eu"]).stemmed(Algorithm::Basque)
        .endings("uak>u eak>e oak>o iak>i ak>a ua>u ea>e oa>o ia>i")
        .stop("baina bat batzuk da dago den dira ditu du edo ere eta hau hori hura izan zen"),
    LanguageRow::new("Bulgarian", &["bg"])
        .stop("а в във до за и из или как като към на но о от по при с са се със то това тази тези този у че"),
    LanguageRow::new("Burmese", &["my"]).compounds(""),
    LanguageRow::new("Catalan", &["ca"]).stemmed(Algorithm::Catalan).elided("d l m n s t")
        .endings("bres>bre tres>tre dres>dre gues>ga ques>ca ges>ja ions>io ons>o ins>i es>a")
        .stop("a al als amb aquest aquesta aquestes aquests com de del dels el els em en es és et ho i la les li o on \
               pel pels per que sa se ser si són un una unes uns us"),
    LanguageRow::new("Chinese", &["zh"]).stop("的 了 和 与 與 及 或 在 是 之 也"),
    LanguageRow::new("Croatian, Bosnian, Serbian", &["hr", "bs", "sr"]).stemmed(Algorithm::Serbian)
        .stop("a ali da do i ili iz je kao koja koje koji na o od po pri s sa se su ta te to u uz za što \
               а али да до и или из је као која које који на о од по при с са се су та те то у уз за што"),
    LanguageRow::new("Czech", &["cs"]).stemmed(Algorithm::Czech)
        .stop("a aby ale co do i jak jako je jsou k kde ke která které který na nebo o od po pro při s se si ta tak \
               ten to u v ve z za ze že"),
    LanguageRow::new("Danish", &["da"]).stemmed(Algorithm::Danish).endings("skoene>sko skoen>sko").compounds("s e")
        .stop("af at de dem den der det du eller en er et for fra han har hos i jeg med men og om på sin sit som så \
               til ved vi"),
    LanguageRow::new("Dutch", &["nl"]).stemmed(Algorithm::Dutch).endings("kinderen>kind kinders>kind tsen>ts").compounds("s e en er n")
        .stop("aan als bij dat de den der deze die dit een en er het hij ik in is je met naar of om ook op te tot uit \
               van voor was wat we zijn"),
    LanguageRow::new("English", &["en"]).stemmed(Algorithm::English)
        .stop("a an and are as at be but by for from in into is it its of on or that the their these this to was \
               which will with"),
    LanguageRow::new("Esperanto", &["eo"]).stemmed(Algorithm::Esperanto).stop("al da de en kaj la por"),
    LanguageRow::new("Estonian", &["et"]).stemmed(Algorithm::Estonian).stop("aga ja ka kas kes kui ning on see seda siis ta või"),
    LanguageRow::new("Finnish", &["fi"]).stemmed(Algorithm::Finnish).compounds("n")
        .stop("ja joka jotka kanssa kuin kun mutta myös ne niin oli on ovat se sekä tai tämä"),
    LanguageRow::new("French", &["fr"]).stemmed(Algorithm::French).elided("c d j jusqu l lorsqu m n puisqu qu s t")
        .endings("eres>er ere>er ers>er ees>e ee>e eveux>eveu jeux>jeu os>o as>a us>u is>i")
        .stop("à au aux avec ce ces cet cette chez comme dans de des du elle en est et eux il ils la le les leur leurs \
               mais nos notre nous on ont ou où par pour que qui se ses sont sur un une vos votre vous y"),
    LanguageRow::new("Galician", &["gl"]).elided("d").endings("ais>al eis>el ois>ol ces>z res>r des>d s>")
        .stop("a á ao aos as ás co coa coas con cos da das de do dos e é en esta este isto na nas no nos o os ou para \
               pola polas polo polos por que se seu súa un unha unhas uns"),
    LanguageRow::new("German", &["de"]).stemmed(Algorithm::German).compounds("s n en es er")
        .stop("als am an auch auf aus bei beim bis da das dass dem den der des die dies diese diesem diesen dieser \
               dieses du ein eine einem einen einer eines er es für hat im in ins ist mit nach oder sein seine sich \
               sie sind so und uns vom von vor wie wir zu zum zur"),
    LanguageRow::new("Greek", &["el"]).stemmed(Algorithm::Greek).endings("ιο>ια")
        .stop("αλλά από για είναι ένα ένας η ή θα και κι με μια να ο οι που σε στα στη στην στις στο στον στους τα τη \
               την της τις το τον του τους των ως"),
    LanguageRow::new("Hebrew", &["he"]).stop("או אל אשר את גם הוא היא זאת זה כי מן עם של"),
    LanguageRow::new("Hindi", &["hi"]).stemmed(Algorithm::Hindi).endings("ियां>ी")
        .stop("और एक का की के को जो तथा ने पर भी में यह या लिए वह से है हैं"),
    LanguageRow::new("Hungarian", &["hu"]).stemmed(Algorithm::Hungarian).endings("kak>ka")
        .stop("a aki ami az de egy és ez ezek hogy is még meg mint vagy van volt"),
    LanguageRow::new("Icelandic", &["is"]).compounds("s a u ar na").stop("að af eða eru er í með og sem til um við"),
    LanguageRow::new("Indonesian", &["id"]).stemmed(Algorithm::Indonesian)
        .stop("adalah atau dalam dan dari dengan di ini itu ke oleh pada untuk yang"),
    LanguageRow::new("Irish", &["ga"]).stemmed(Algorithm::Irish).stop("agus an ar do i le na"),
    LanguageRow::new("Italian", &["it"]).stemmed(Algorithm::Italian).endings("iere>ieri")
        .elided("agl all c coll d dagl dall degl dell gl l m negl nell quell quest s sugl sull t un v")
        .stop("a ad agli ai al alla alle allo anche che chi ci coi col come con da dagli dai dal dalla dalle dallo \
               degli dei del della delle dello di e è ed gli i il in la le lo ma nei nel nella nelle nello o per questa \
               queste questi questo se si sono su sua sue sugli sui sul sulla sulle suo tra un una uno"),
    LanguageRow::new("Japanese", &["ja"]).stop("か が から する た て で です と など に の は へ まで ます も や より を"),
    LanguageRow::new("Kazakh", &["kk"]).stop("бұл және мен немесе үшін"),
    LanguageRow::new("Khmer", &["km"]).compounds(""),
    LanguageRow::new("Korean", &["ko"]),
    LanguageRow::new("Lao", &["lo"]).compounds(""),
    LanguageRow::new("Latvian", &["lv"]).stop("ar arī bet ir ka kā kas no pa par pie tā tas un uz vai"),
    LanguageRow::new("Lithuanian", &["lt"]).stemmed(Algorithm::Lithuanian)
        .stop("ar bei bet ir iš į jis kad kaip kuri kuris nuo o per prie su tai tik už yra"),
    LanguageRow::new("Macedonian", &["mk"]).stop("а во да до е за и или како на од по се со то што"),
    LanguageRow::new("Malay", &["ms"]).stop("adalah atau dalam dan dari dengan di ini itu ke oleh pada untuk yang"),
    LanguageRow::new("Nepali", &["ne"]).stemmed(Algorithm::Nepali).stop("को छ मा र लाई ले वा"),
    LanguageRow::new("Norwegian", &["no", "nb", "nn"]).stemmed(Algorithm::Norwegian).endings("skoene>sko skoen>sko skoa>sko").compounds("s e")
        .stop("at av de dei den det du eg ei ein eit eller en er et for fra frå han har i jeg med men og om på sin \
               sitt som så til ved vi"),
    LanguageRow::new("Persian", &["fa"]).stemmed(Algorithm::Persian)
        .stop("آن از است این با برای به تا در را که می هم و یا"),
    LanguageRow::new("Polish", &["pl"]).stemmed(Algorithm::Polish).endings("ow>ów ek>k")
        .stop("a aby albo ale co czy dla do i ich jak jako je jest już ku lub ma na o od oraz po przez przy są się ta \
               tak te tego tej ten to tym u w we z za ze że"),
    LanguageRow::new("Portuguese", &["pt"]).stemmed(Algorithm::Portuguese).elided("d")
        .endings("oes>ao aes>ao aos>ao ais>al eis>el ois>ol uis>ul is>il ns>m")
        .stop("a à ao aos as às com como da das de do dos e é em essa esse esta estas este estes isso isto mas na nas \
               no nos o os ou para pela pelas pelo pelos por que são se seu seus sua suas um uma umas uns"),
    LanguageRow::new("Romanian", &["ro"]).stemmed(Algorithm::Romanian).endings("urile> urilor> uri> ului> ul> u>")
        .stop("a ai al ale am ar are au ca că ce cu de din este iar în între la le lui mai o or pe pentru prin sa sau \
               se sunt și un una unei unui"),
    LanguageRow::new("Russian", &["ru"]).stemmed(Algorithm::Russian).endings("ок>к ек>к")
        .stop("а в во для до же за и из или их к как ко на но о об от по при с со то у что эта эти это этот"),
    LanguageRow::new("Sesotho", &["st"]).stemmed(Algorithm::Sesotho),
    LanguageRow::new("Slovak", &["sk"]).stemmed(Algorithm::Czech).endings("iek>k ok>k")
        .stop("a aby aj ako ale alebo čo do i ich je k kde ktorá ktoré ktorý ku na o od po pre pri s sa si so sú ta \
               tak ten to u v vo z za zo že"),
    LanguageRow::new("Slovenian", &["sl"]).stemmed(Algorithm::Serbian)
        .stop("a ali da do in iz je k ker ki kot na o ob od pa po pri s se so ta te to tudi v z za"),
    LanguageRow::new("Spanish", &["es"]).stemmed(Algorithm::Spanish)
        .stop("a al como con cual de del e el ella en es esta este esto la las le les lo los o para por que se ser son \
               su sus u un una unos y"),
    LanguageRow::new("Swedish", &["sv"]).stemmed(Algorithm::Swedish).endings("skorna>sko skor>sko skon>sko an>a").compounds("s e")
        .stop("att av de den det där eller en ett från för har i med men när och om på sin sitt som så till var vid är"),
    LanguageRow::new("Tamil", &["ta"]).stemmed(Algorithm::Tamil),
    LanguageRow::new("Thai", &["th"]).compounds("").stop("กับ ของ จาก ที่ ใน เป็น และ สำหรับ หรือ ให้"),
    LanguageRow::new("Turkish", &["tr"]).stemmed(Algorithm::Turkish).dotless()
        .endings("larinin> lerinin> larini> lerini> lari> leri> lar> ler> agi>ak egi>ek igi>ik ugu>uk asi>a esi>e isi>i usu>u")
        .stop("ama bir bu da de için ile ise ki mi mı mu mü o olan şu ve veya ya"),
    LanguageRow::new("Ukrainian", &["uk"]).stemmed(Algorithm::Ukrainian).endings("ок>к")
        .stop("а або але в від для до з за зі й і із їх к на о об по при та те то у це цей ця що як"),
    LanguageRow::new("Urdu", &["ur"]).stop("اور اس ایک کا کو کی کے میں نے پر سے ہے ہیں یہ"),
    LanguageRow::new("Vietnamese", &["vi"]),
    LanguageRow::new("Yiddish", &["yi"]).stemmed(Algorithm::Yiddish),
];

#[cfg(test)]
mod tests {
    //! 1. The table of `docs/languages.md` equals the table of the code, row by row.
    //! 2. Every code has one row, and its words are in the form in which they are compared.

    use super::*;

    /// The row as a line of the table in the documentation.
    fn line(row: &LanguageRow) -> String {
        let codes: Vec<String> = row.codes.iter().map(|code| format!("`{code}`")).collect();
        let count = |listed: &str| listed.split_whitespace().count();
        let endings = match count(row.endings) {
            0 => None,
            1 => Some("1 ending".to_owned()),
            endings => Some(format!("{endings} endings")),
        };
        let algorithm = row.algorithm.map(|algorithm| format!("{algorithm:?}"));
        let stems: Vec<String> = algorithm.into_iter().chain(endings).collect();
        let words = match row.codes[0] {
            "zh" | "ja" | "ko" => "bigrams",
            "th" | "lo" | "km" | "my" => "dictionary",
            _ => "blanks",
        };
        let or_none = |text: String| {
            if text.is_empty() {
                "–".to_owned()
            } else {
                text
            }
        };
        let stop_words = match count(row.stop_words) {
            0 => "–".to_owned(),
            words => words.to_string(),
        };
        let compounds = if row.links.is_some() { "yes" } else { "–" };
        format!(
            "| {} | {} | {words} | {} | {stop_words} | {} | {compounds} |",
            row.name,
            codes.join(", "),
            or_none(stems.join(", ")),
            or_none(
                row.elided
                    .split_whitespace()
                    .map(|article| format!("{article}'"))
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
        )
    }

    #[test]
    fn the_documentation_says_what_every_language_gets() {
        let documentation = include_str!("../../../../docs/languages.md");
        let lines: Vec<String> = LANGUAGES.iter().map(line).collect();
        let is_missing = |line: &&String| !documentation.contains(line.as_str());
        let missing: Vec<&str> = lines
            .iter()
            .filter(is_missing)
            .map(String::as_str)
            .collect();
        assert!(
            missing.is_empty(),
            "put into docs/languages.md:\n{}",
            missing.join("\n")
        );
        let documented = documentation
            .lines()
            .filter(|line| line.starts_with("| ") && line.contains(" | `"));
        assert_eq!(
            documented.count(),
            lines.len(),
            "a row of docs/languages.md is not in the code"
        );
        assert!(lines.len() >= 30);
    }

    #[test]
    fn rows_are_sound() {
        let mut codes: Vec<&str> = LANGUAGES
            .iter()
            .flat_map(|row| row.codes)
            .copied()
            .collect();
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), all, "a code has two rows");
        assert!(LANGUAGES.is_sorted_by_key(|row| row.name));
        for row in &LANGUAGES {
            for ending in row.endings.split_whitespace() {
                let ending = ending.split_once('>').map(|(ending, _)| ending);
                let ending = ending.expect("an ending and its replacement");
                assert_eq!(super::super::fold(ending), ending, "{}", row.name);
            }
            for link in row.links.unwrap_or_default().split_whitespace() {
                assert_eq!(super::super::fold(link), link, "{}", row.name);
            }
        }
    }
}
