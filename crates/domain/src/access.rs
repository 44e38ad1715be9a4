//! The permission rules: what a caller may do, and the permits that prove it.
//!
//! A [`Permit`] can be built nowhere outside this module, so a storage call that takes one cannot be reached without this check.

mod people;
mod permit;

pub use people::{
    AccountPermit, ReachedAccount, UserIdentity, account, account_of_store, feed_in_panel,
};
pub use permit::{Feed, MayRead, Permit, PublicFiles, Read, Search, System, Write};

use crate::attempt::WriteAttempt;
use crate::audit::Actor;
use crate::id::{AccountId, KeyId, StoreId};
use crate::role::Role;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a key may be used for (docs/api.md, "Keys").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeyKind {
    /// `cfg_…`: the configuration interface and the tool server.
    Configuration,
    /// `con_…`: the feed of its store.
    Connector,
    /// `pub_…`: search from a store's pages.
    SearchOnly,
}

impl KeyKind {
    /// All kinds, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Configuration, Self::Connector, Self::SearchOnly];

    /// Returns the prefix of keys of this kind.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Configuration => "cfg",
            Self::Connector => "con",
            Self::SearchOnly => "pub",
        }
    }

    /// Returns the kind whose keys start with `prefix`.
    pub fn from_prefix(prefix: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.prefix() == prefix)
    }

    /// Returns the name used by the command line and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Configuration => "configuration",
            Self::Connector => "connector",
            Self::SearchOnly => "search-only",
        }
    }

    /// Returns the kind with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Scope of a configuration key (docs/api.md, "Keys").
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Scope {
    /// Reads, including the simulator.
    #[serde(rename = "config:read")]
    Read,
    /// Reads, and proposes writes, about which a person decides.
    #[serde(rename = "config:propose")]
    Propose,
    /// Reads and writes.
    #[serde(rename = "config:write")]
    Write,
}

impl Scope {
    /// All scopes, each with the rights of those before it.
    pub const ALL: [Self; 3] = [Self::Read, Self::Propose, Self::Write];

    /// Returns the scope as the API writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "config:read",
            Self::Propose => "config:propose",
            Self::Write => "config:write",
        }
    }

    /// Returns the scope with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text)
    }
}

/// Name of the job that fetches sources.
pub const SOURCE_JOB: &str = "source";

/// Who makes a request: the owner of a valid key, a signed-in user, or the operator at the command line.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The key, the user or the operator behind the request.
    pub identity: Identity,
    /// Id of the request, for the audit trail.
    pub request_id: Option<String>,
    /// How its writes are to be carried out.
    pub attempt: WriteAttempt,
}

/// The key, the user or the operator behind a request.
#[derive(Clone, Debug)]
pub enum Identity {
    /// A valid key.
    Key(Arc<KeyIdentity>),
    /// A signed-in user of the control panel.
    User(Arc<UserIdentity>),
    /// The operator: the command line on the server's own machine, and the demo's own storefront.
    Operator {
        /// Its name in the audit trail: "command line" or "demo storefront".
        name: &'static str,
    },
}

/// The properties of a valid key.
#[derive(Clone, Debug)]
pub struct KeyIdentity {
    /// Public id of the key.
    pub id: KeyId,
    /// Name given by its creator.
    pub name: String,
    /// What it may be used for.
    pub kind: KeyKind,
    /// Scope of a configuration key; `None` for other kinds.
    pub scope: Option<Scope>,
    /// Account it belongs to.
    pub account: AccountId,
    /// Store it is bound to; `None` for a key of the whole account.
    pub store: Option<StoreId>,
    /// The stores it gives access to: all of the account, or the one it is bound to.
    pub account_stores: Arc<[StoreId]>,
}

impl Caller {
    /// Returns the operator at the command line.
    pub fn operator() -> Self {
        Self {
            identity: Identity::Operator {
                name: "command line",
            },
            request_id: None,
            attempt: WriteAttempt::default(),
        }
    }

    /// Returns the job that fetches sources, which acts as the operator.
    pub fn source() -> Self {
        Self {
            identity: Identity::Operator { name: SOURCE_JOB },
            ..Self::operator()
        }
    }

    /// Returns the key behind the request; `None` for users and the operator.
    pub fn key(&self) -> Option<&KeyIdentity> {
        match &self.identity {
            Identity::Key(key) => Some(key),
            Identity::User(_) | Identity::Operator { .. } => None,
        }
    }

    /// Returns the user behind the request; `None` for keys and the operator.
    pub fn user(&self) -> Option<&UserIdentity> {
        match &self.identity {
            Identity::User(user) => Some(user),
            Identity::Key(_) | Identity::Operator { .. } => None,
        }
    }

    /// Returns the caller as the audit trail names it.
    pub fn actor(&self) -> Actor {
        match &self.identity {
            Identity::Key(key) => Actor {
                key_id: Some(key.id.0.clone()),
                user_id: None,
                name: key.name.clone(),
            },
            Identity::User(user) => Actor::user(&user.id, &user.name),
            Identity::Operator { name } => Actor::named(*name),
        }
    }
}

/// Why a caller lacks permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// A search-only or connector key on the configuration interface: 401 `key_kind`.
    KindNotValidHere,
    /// A key of the wrong kind on a feed or search path: 403 `key_kind`.
    KindNotAllowed,
    /// The scope is too small: 403 `scope_missing`.
    ScopeMissing,
    /// Not the store of the key: 403 `store_mismatch`.
    StoreMismatch,
    /// The store belongs to another account or does not exist: 404 `not_found`.
    NotFound,
    /// Reserved to the control panel and the command line: 403 `reserved`.
    Reserved,
    /// The user is no member of the account, or it does not exist: 404 `not_found`.
    NoSuchAccount,
    /// The user's role is too small; this one is needed: 403 `role_missing`.
    RoleMissing(Role),
    /// The user has to give the password again: 403 `password_needed`.
    PasswordNeeded,
}

/// Returns a permit if `caller` may read the configuration of `store`.
pub fn read(caller: &Caller, store: &StoreId) -> Result<Permit<Read>, Denied> {
    configuration(caller, Scope::Read)?;
    of_store(caller, store, Role::Viewer)?;
    Ok(Permit::new(caller, store))
}

/// Returns a permit if `caller` may change the configuration of `store`.
pub fn write(caller: &Caller, store: &StoreId) -> Result<Permit<Write>, Denied> {
    configuration(caller, Scope::Write)?;
    of_store(caller, store, Role::Editor)?;
    Ok(Permit::new(caller, store))
}

/// Returns a permit if `caller` may change the configuration of `store`, or propose to change it: a key that only proposes,
/// or a write that names a proposal, gets one that [proposes](Permit::proposes).
pub fn change(caller: &Caller, store: &StoreId) -> Result<Permit<Write>, Denied> {
    configuration(caller, Scope::Propose)?;
    of_store(caller, store, Role::Editor)?;
    let proposes = caller
        .key()
        .is_some_and(|key| key.scope == Some(Scope::Propose) || caller.attempt.proposal.is_some());
    Ok(Permit::new(caller, store).proposing(proposes))
}

/// Returns a permit to propose a change of `store`: for keys that may, because about what a person wants there is nothing to
/// decide.
pub fn propose(caller: &Caller, store: &StoreId) -> Result<Permit<Write>, Denied> {
    configuration(caller, Scope::Propose)?;
    of_store(caller, store, Role::Editor)?;
    if caller.key().is_none() {
        return Err(Denied::Reserved);
    }
    Ok(Permit::new(caller, store).proposing(true))
}

/// Checks that `caller` may use the configuration API with at least `scope`, whatever the store. What a user may do
/// depends on the store.
pub fn configuration(caller: &Caller, scope: Scope) -> Result<(), Denied> {
    let Some(key) = caller.key() else {
        return Ok(());
    };
    match (key.kind, key.scope) {
        (KeyKind::Configuration, Some(held)) if held >= scope => Ok(()),
        (KeyKind::Configuration, _) => Err(Denied::ScopeMissing),
        _ => Err(Denied::KindNotValidHere),
    }
}

/// Proof that the caller is the operator, who may change accounts, stores and keys of any account.
#[derive(Clone, Debug)]
pub struct OperatorPermit {
    actor: Actor,
}

impl OperatorPermit {
    /// Returns the operator as the audit trail names it.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }
}

/// Returns a permit if `caller` is the operator. A key or user never is: what concerns all accounts stays reserved.
pub fn operator(caller: &Caller) -> Result<OperatorPermit, Denied> {
    match caller.identity {
        Identity::Operator { .. } => Ok(OperatorPermit {
            actor: caller.actor(),
        }),
        Identity::Key(_) | Identity::User(_) => Err(Denied::Reserved),
    }
}

/// Returns a permit to feed the store of `caller`'s connector key.
pub fn feed(caller: &Caller) -> Result<Permit<Feed>, Denied> {
    let key = caller.key().ok_or(Denied::KindNotAllowed)?;
    match (key.kind, &key.store) {
        (KeyKind::Connector, Some(store)) => Ok(Permit::new(caller, store)),
        _ => Err(Denied::KindNotAllowed),
    }
}

/// Returns the operator's permit to feed `store` (the command `import`, the demo).
pub fn feed_as_operator(caller: &Caller, store: &StoreId) -> Result<Permit<Feed>, Denied> {
    match caller.identity {
        Identity::Operator { .. } => Ok(Permit::new(caller, store)),
        Identity::Key(_) | Identity::User(_) => Err(Denied::KindNotAllowed),
    }
}

/// Returns a permit to search the store of `caller`'s search-only key.
pub fn search(caller: &Caller) -> Result<Permit<Search>, Denied> {
    let key = caller.key().ok_or(Denied::KindNotAllowed)?;
    match (key.kind, &key.store) {
        (KeyKind::SearchOnly, Some(store)) => Ok(Permit::new(caller, store)),
        _ => Err(Denied::KindNotAllowed),
    }
}

/// Returns a permit to read the files that `store` publishes to everybody; it needs no caller.
pub fn public_files(store: &StoreId) -> Permit<PublicFiles> {
    Permit::of_actor(Actor::named("anybody"), None, store)
}

/// Returns the server's own permit for `store`, which depends on no caller.
///
/// Jobs and indexing use it, because they serve all stores. Nothing else may: a request has a caller, whose permission
/// must be checked. `cargo xtask tidy` finds other uses.
pub fn system(store: &StoreId) -> Permit<System> {
    Permit::of_actor(Actor::named("server"), None, store)
}

/// Checks that `caller` reaches `store`, a user with at least `role`.
fn of_store(caller: &Caller, store: &StoreId, role: Role) -> Result<(), Denied> {
    let key = match &caller.identity {
        Identity::Key(key) => key,
        Identity::User(user) => return people::of_store(user, store, role),
        Identity::Operator { .. } => return Ok(()),
    };
    match &key.store {
        Some(bound) if bound == store => Ok(()),
        Some(_) => Err(Denied::StoreMismatch),
        None if key.account_stores.contains(store) => Ok(()),
        None => Err(Denied::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempt::ProposalTarget;

    fn caller(kind: KeyKind, scope: Option<Scope>, store: Option<&str>) -> Caller {
        let key = KeyIdentity {
            id: "k1".into(),
            name: "test".to_owned(),
            kind,
            scope,
            account: "a1".into(),
            store: store.map(StoreId::from),
            account_stores: Arc::from([StoreId::from("s1"), StoreId::from("s2")]),
        };
        Caller {
            identity: Identity::Key(Arc::new(key)),
            request_id: None,
            attempt: WriteAttempt::default(),
        }
    }

    #[test]
    fn a_read_scope_may_read_and_not_write() {
        let reader = caller(KeyKind::Configuration, Some(Scope::Read), Some("s1"));
        assert!(read(&reader, &"s1".into()).is_ok());
        assert_eq!(
            write(&reader, &"s1".into()).err(),
            Some(Denied::ScopeMissing)
        );
    }

    #[test]
    fn a_scope_in_between_proposes() {
        let store = "s1".into();
        let with = |scope| caller(KeyKind::Configuration, Some(scope), Some("s1"));
        let proposer = with(Scope::Propose);
        assert!(read(&proposer, &store).is_ok());
        assert_eq!(write(&proposer, &store).err(), Some(Denied::ScopeMissing));
        let proposes = |caller: &Caller| change(caller, &store).map(|permit| permit.proposes());
        assert_eq!(proposes(&proposer), Ok(true));
        assert_eq!(proposes(&with(Scope::Read)), Err(Denied::ScopeMissing));
        let mut writer = with(Scope::Write);
        assert_eq!(proposes(&writer), Ok(false));
        writer.attempt.proposal = Some(ProposalTarget::new("p1", "proposalId"));
        assert_eq!(proposes(&writer), Ok(true));
        assert!(!write(&writer, &store).expect("a writer").proposes());
    }

    #[test]
    fn a_missing_scope_is_reported_before_a_wrong_store() {
        let reader = caller(KeyKind::Configuration, Some(Scope::Read), Some("s1"));
        assert_eq!(
            write(&reader, &"s9".into()).err(),
            Some(Denied::ScopeMissing)
        );
        assert_eq!(
            read(&reader, &"s9".into()).err(),
            Some(Denied::StoreMismatch)
        );
    }

    #[test]
    fn a_bound_key_gets_a_mismatch_whether_or_not_the_store_exists() {
        let bound = caller(KeyKind::Configuration, Some(Scope::Write), Some("s1"));
        assert_eq!(
            write(&bound, &"s2".into()).err(),
            Some(Denied::StoreMismatch)
        );
        assert_eq!(
            write(&bound, &"none".into()).err(),
            Some(Denied::StoreMismatch)
        );
    }

    #[test]
    fn an_account_key_has_access_to_its_stores_only() {
        let account = caller(KeyKind::Configuration, Some(Scope::Write), None);
        assert!(write(&account, &"s2".into()).is_ok());
        assert_eq!(write(&account, &"s9".into()).err(), Some(Denied::NotFound));
    }

    #[test]
    fn each_kind_of_key_has_its_own_permission_only() {
        let connector = caller(KeyKind::Connector, None, Some("s1"));
        let shopper = caller(KeyKind::SearchOnly, None, Some("s1"));
        assert!(feed(&connector).is_ok() && search(&shopper).is_ok());
        assert_eq!(feed(&shopper).err(), Some(Denied::KindNotAllowed));
        assert_eq!(search(&connector).err(), Some(Denied::KindNotAllowed));
        assert_eq!(
            read(&connector, &"s1".into()).err(),
            Some(Denied::KindNotValidHere)
        );
        assert!(feed_as_operator(&connector, &"s1".into()).is_err());
    }

    #[test]
    fn a_permit_is_for_the_store_that_was_checked() {
        let account = caller(KeyKind::Configuration, Some(Scope::Read), None);
        for store in ["s1", "s2"] {
            let store = StoreId::from(store);
            assert_eq!(
                read(&account, &store).map(|permit| permit.store().clone()),
                Ok(store.clone())
            );
            assert_eq!(system(&store).store(), &store);
        }
        assert_eq!(system(&"s1".into()).actor().key_id, None);
    }
}
