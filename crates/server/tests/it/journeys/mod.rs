//! Tests across the whole system.

mod agent;
mod behind_nginx;
mod cluster_fails;
mod connection;
mod held_proxy;
mod index_kills;
mod known_items;
mod many_stores;
mod moving;
mod n_grams;
mod node_kills;
mod on_opensearch;
mod on_postgresql;
mod one_ranking;
mod postgres_fails;
mod random_nodes;
mod switched_proxy;
mod two_nodes;
mod upgrade;
