//! 1. Whatever comes, leaves and ends: never more than so many at once, and nobody waits while a turn is free.
//! 2. While a request waits behind p others of its key, every other key is served at most p + 1 times.
//! 3. Requests of one key are served in their order, and who left is not served.
//! 4. A turn that was granted to a future which is dropped before it is polled again is passed on.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

#[derive(Clone, Debug)]
enum TurnStep {
    Come(u8),
    /// The waiting request at this place, modulo their number, hangs up.
    Leave(usize),
    /// The work at this place ends.
    End(usize),
}

fn steps() -> impl Strategy<Value = Vec<TurnStep>> {
    let step = prop_oneof![
        4 => (0..4_u8).prop_map(TurnStep::Come),
        1 => any::<usize>().prop_map(TurnStep::Leave),
        3 => any::<usize>().prop_map(TurnStep::End),
    ];
    vec(step, 0..120)
}

type TurnFuture = Pin<Box<dyn Future<Output = Turn<u8>>>>;

struct PendingRequest {
    key: u8,
    number: usize,
    future: TurnFuture,
    /// Requests of the same key that waited when it came.
    before: usize,
    /// How often each key was served since it came.
    served: [usize; 4],
}

#[derive(Default)]
struct TurnDesk {
    waiting: Vec<PendingRequest>,
    at_work: Vec<Turn<u8>>,
    came: usize,
    last_served: [Option<usize>; 4],
}

fn poll(future: &mut TurnFuture) -> Option<Turn<u8>> {
    let mut context = Context::from_waker(Waker::noop());
    match future.as_mut().poll(&mut context) {
        Poll::Ready(turn) => Some(turn),
        Poll::Pending => None,
    }
}

impl TurnDesk {
    fn come(&mut self, turns: &FairTurns<u8>, key: u8) {
        let own = turns.clone();
        let mut future: TurnFuture = Box::pin(async move { own.acquire(&key).await });
        let number = self.came;
        self.came += 1;
        match poll(&mut future) {
            Some(turn) => {
                assert!(self.waiting.is_empty(), "a turn past those who wait");
                self.at_work.push(turn);
            }
            None => {
                let before = self.waiting.iter().filter(|other| other.key == key).count();
                self.waiting.push(PendingRequest {
                    key,
                    number,
                    future,
                    before,
                    served: [0; 4],
                });
            }
        }
    }

    /// Takes what was granted; each end of work grants one turn at most.
    fn serve(&mut self) {
        let granted = self
            .waiting
            .iter_mut()
            .enumerate()
            .find_map(|(at, request)| poll(&mut request.future).map(|turn| (at, turn)));
        let Some((at, turn)) = granted else {
            return;
        };
        self.at_work.push(turn);
        let request = self.waiting.remove(at);
        let key = usize::from(request.key);
        assert!(self.last_served[key] < Some(request.number), "out of order");
        self.last_served[key] = Some(request.number);
        for (other, served) in request.served.iter().enumerate() {
            assert!(
                other == key || *served <= request.before + 1,
                "key {other} was served {served} times before a request with {} before it",
                request.before
            );
        }
        for other in &mut self.waiting {
            other.served[key] += 1;
        }
    }
}

proptest! {
    #[test]
    fn turns_are_fair(at_once in 1..4_usize, steps in steps()) {
        let turns = FairTurns::new(at_once);
        let mut desk = TurnDesk::default();
        for step in steps {
            match step {
                TurnStep::Come(key) => desk.come(&turns, key),
                TurnStep::Leave(at) if !desk.waiting.is_empty() => {
                    desk.waiting.remove(at % desk.waiting.len());
                }
                TurnStep::End(at) if !desk.at_work.is_empty() => {
                    drop(desk.at_work.swap_remove(at % desk.at_work.len()));
                    desk.serve();
                }
                TurnStep::Leave(_) | TurnStep::End(_) => {}
            }
            prop_assert_eq!(turns.waiting(), desk.waiting.len());
            prop_assert_eq!(turns.at_work(), desk.at_work.len());
            prop_assert!(desk.at_work.len() <= at_once);
            prop_assert!(desk.waiting.is_empty() || desk.at_work.len() == at_once);
        }
        desk.waiting.clear();
        desk.at_work.clear();
        prop_assert_eq!((turns.waiting(), turns.at_work()), (0, 0));
        prop_assert!(turns.0.state.lock().queues.is_empty(), "keys of requests that left are forgotten");
    }
}

#[test]
fn a_turn_that_nobody_takes_is_passed_on() {
    let turns = FairTurns::new(1);
    let mut desk = TurnDesk::default();
    for key in [0, 1, 2] {
        desk.come(&turns, key);
    }
    drop(desk.at_work.pop());
    assert_eq!(
        (turns.waiting(), turns.at_work()),
        (1, 1),
        "granted to key 1"
    );
    desk.waiting.remove(0);
    desk.serve();
    assert_eq!(desk.at_work.len(), 1, "key 2 has it now");
    drop(desk);
    assert_eq!((turns.waiting(), turns.at_work()), (0, 0));
}
