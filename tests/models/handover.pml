/* How buffers go from core to core and come home: message/aggregator.cpp, message/inbox.cpp,
 * net/transport.cpp, net/shm_link.cpp and net/shm_ring.hpp, of two cores of a locale.
 *
 * On each core some tasks send a request each, and the handler of a request sends an answer, at once
 * or after it has suspended. Checked: messages begin exactly once and in the order sent; a buffer is
 * held by one party at a time; return rings have room. All messages are executed and all buffers come
 * home: a core polls only when there is something for it to do, so that whoever waits for ever ends
 * in a state without a next step.
 *
 * A core is one thread. What the two have in common is the slots of the rings and the buffers, so a
 * step has one access to a slot; everything else is the core's own and written as in the functions
 * named. Memory is sequentially consistent here: tests/net/shm_ring_test.cpp is about weaker ones.
 *
 * Left out: buffers to oneself, MPI, more than one open run. Without the last, messages of all types
 * keep their order; with it, those of one type do.
 *
 * MUTANT_...: mistakes that must be found. */

#ifndef STOCK
#define STOCK 1 /* NetOptions::buffers_per_core; at most 3 */
#endif
#ifndef RING
#define RING 1 /* NetOptions::ring_entries */
#endif
#ifndef FITS
#define FITS 1 /* messages in a buffer */
#endif
#ifndef TASKS_0
#define TASKS_0 2 /* on core 0 */
#endif
#ifndef TASKS_1
#define TASKS_1 2
#endif
#ifdef MUTANT_RETURN_RING_IS_TOO_SMALL
#define RETURN_RING 1
#elif STOCK == 3
#define RETURN_RING 4
#else
#define RETURN_RING STOCK /* the next power of two */
#endif

#define EACH_WAY (TASKS_0 + TASKS_1) /* requests one way, answers the other */
#define ALL_MESSAGES (2 * EACH_WAY)
#define NONE 255
#define TRAVELS 2 /* in place of the core that holds a buffer */

/* Buffers in shared memory: each core's stock, and then a spare one of its own (BufferOrigin::Overflow;
 * one at a time is being filled). Their contents are messages numbered by the sender, from `first` on;
 * bit k of `requests` is set if message k wants an answer. */
#define BUFFER(owner, index) ((owner) * (STOCK + 1) + (index))
#define BUFFERS (2 * (STOCK + 1))
#define SPARE STOCK
byte first[BUFFERS];
byte count[BUFFERS];
byte requests[BUFFERS];
byte next[BUFFERS] = NONE;

/* Slots; 0 is free. */
byte inbound[2 * RING];
byte returned[2 * RETURN_RING];

/* Only for the checks. */
byte holder[BUFFERS];
byte executed = 0;

/* ShmRingProducer::try_push, after it has found the slot free; to be said where that was found. */
inline store(slot, entry, buffer) {
  assert(holder[buffer] == me);
  holder[buffer] = TRAVELS;
  slot = entry
}

#define OUTBOUND_SLOT ((1 - me) * RING + outbound_position % RING)
#define INBOUND_SLOT (me * RING + inbound_position % RING)
#define GIVE_BACK_SLOT ((1 - me) * RETURN_RING + give_back_position % RETURN_RING)
#define RETURNED_SLOT (me * RETURN_RING + returned_position % RETURN_RING)

#ifdef MUTANT_PUSHES_INTO_A_FULL_RING
#define OUTBOUND_IS_FREE true
#else
#define OUTBOUND_IS_FREE (inbound[OUTBOUND_SLOT] == 0)
#endif

/* ShmLink::try_send, of a buffer of my stock to a ring that is not full */
inline push_outbound(index) {
  store(inbound[OUTBOUND_SLOT], (index) + 1, BUFFER(me, index));
  outbound_position = (outbound_position + 1) % RING
}

/* What a buffer held before means nothing any more: fewer states. */
inline clear(buffer) {
  first[buffer] = 0;
  count[buffer] = 0;
  requests[buffer] = 0;
  next[buffer] = NONE
}

/* BufferPool::put */
inline pool_put(index) {
  assert(holder[BUFFER(me, index)] == me && !(at_home & (1 << (index))));
  at_home = at_home | (1 << (index));
  clear(BUFFER(me, index))
}

/* append_to_backlog, linked through the buffers */
inline append_to_backlog(index) {
  next[BUFFER(me, index)] = NONE;
  if
  :: backlog == NONE -> backlog = index
  :: else -> next[BUFFER(me, backlog_last)] = index
  fi;
  backlog_last = index
}

/* Transport::send */
inline transport_send(index) {
  atomic {
    assert(holder[BUFFER(me, index)] == me);
    if
#ifdef MUTANT_OVERTAKES_THE_BACKLOG
    :: OUTBOUND_IS_FREE -> push_outbound(index)
#else
    :: backlog == NONE && OUTBOUND_IS_FREE -> push_outbound(index)
#endif
    :: else -> append_to_backlog(index)
    fi
  }
}

/* Transport::progress: ShmLink::reclaim until there is none, and then retry_backlogs. */
inline progress() {
  do
  :: atomic {
       returned[RETURNED_SLOT] != 0 ->
       scratch = returned[RETURNED_SLOT] - 1;
       returned[RETURNED_SLOT] = 0;
       returned_position = (returned_position + 1) % RETURN_RING;
       assert(holder[BUFFER(me, scratch)] == TRAVELS);
       holder[BUFFER(me, scratch)] = me;
       pool_put(scratch);
       scratch = 0;
       useful = true
     }
  :: atomic { returned[RETURNED_SLOT] == 0 -> break }
  od;
#ifndef MUTANT_FORGETS_THE_BACKLOG
  do
#ifdef MUTANT_READS_THE_LINK_AFTER_THE_PUSH
  :: atomic { backlog != NONE && OUTBOUND_IS_FREE -> push_outbound(backlog) };
     backlog = next[BUFFER(me, backlog)];
     useful = true
#else
  :: atomic {
       backlog != NONE && OUTBOUND_IS_FREE ->
       scratch = next[BUFFER(me, backlog)];
       push_outbound(backlog);
       backlog = scratch;
       backlog_last = (backlog == NONE -> 0 : backlog_last);
       scratch = 0;
       useful = true
     }
#endif
  :: atomic { !(backlog != NONE && OUTBOUND_IS_FREE) -> break }
  od
#endif
}

/* BufferPool::take; which one does not matter */
inline take(result) {
  if
  :: at_home == 0 -> result = NONE
  :: else ->
    result = (at_home & 1 -> 0 : (at_home & 2 -> 1 : 2));
    at_home = at_home & ~(1 << result)
  fi
}

/* Transport::acquire */
inline acquire(result) {
  if
  :: at_home == 0 -> progress()
  :: else
  fi;
  atomic { take(result) }
}

/* Aggregator::hand_over, of the open buffer */
inline hand_over() {
  if
#ifdef MUTANT_OVERTAKES_THE_OVERFLOW
  :: opened != SPARE -> transport_send(opened)
#else
  :: opened != SPARE && len(overflow) == 0 -> transport_send(opened)
#endif
#ifdef MUTANT_OVERFLOW_KEEPS_STOCK
  :: opened != SPARE && len(overflow) != 0 -> overflow ! opened, 0, 0
#endif
  :: else ->
    atomic {
      assert(holder[BUFFER(me, opened)] == me);
      overflow ! first[BUFFER(me, opened)], count[BUFFER(me, opened)], requests[BUFFER(me, opened)];
      if
      :: opened != SPARE -> pool_put(opened) /* Transport::release */
      :: else -> clear(BUFFER(me, SPARE))    /* to spares_ */
      fi
    }
  fi
}

/* Aggregator::flush */
inline flush() {
  hand_over();
  opened = NONE
}

/* Aggregator::open_buffer. Leaves opened == NONE if the caller, a task, must suspend. */
inline open_buffer(waits_for_stock) {
  if
  :: waits_for_stock && len(overflow) != 0 -> /* behind overflow */
  :: else -> acquire(opened)
  fi;
#ifdef MUTANT_HANDLER_WAITS_FOR_STOCK
  do
  :: opened == NONE && !(waits_for_stock) ->
     (returned[RETURNED_SLOT] != 0 || (backlog != NONE && OUTBOUND_IS_FREE));
     acquire(opened)
  :: else -> break
  od;
#endif
  atomic {
    if
    :: opened == NONE && !(waits_for_stock) -> opened = SPARE
    :: else
    fi;
    if
    :: opened != NONE ->
      assert(holder[BUFFER(me, opened)] == me);
      count[BUFFER(me, opened)] = 0;
      requests[BUFFER(me, opened)] = 0
    :: else
    fi
  }
}

/* Aggregator::append with make_room. `done` is false in the end if the caller must suspend and then
 * try again. */
inline append(is_request, waits_for_stock) {
  done = false;
  do
  :: opened == NONE ->
     open_buffer(waits_for_stock);
     if
     :: opened == NONE -> break
     :: else
     fi
  :: opened != NONE && count[BUFFER(me, opened)] == FITS -> flush()
  :: atomic {
       opened != NONE && count[BUFFER(me, opened)] < FITS ->
       assert(holder[BUFFER(me, opened)] == me);
       if
       :: count[BUFFER(me, opened)] == 0 -> first[BUFFER(me, opened)] = sent
       :: else
       fi;
       requests[BUFFER(me, opened)] =
           requests[BUFFER(me, opened)] | (is_request << count[BUFFER(me, opened)]);
       count[BUFFER(me, opened)]++;
       sent++;
       done = true;
       break
     }
  od
}

/* Aggregator::send_overflow. The entry stays the first until it has been sent. */
inline send_overflow() {
  do
  :: len(overflow) == 0 -> break
#ifdef MUTANT_OVERFLOW_KEEPS_STOCK
  :: overflow ? [_, 0, _] -> overflow ? stock, _, _; transport_send(stock)
  :: len(overflow) != 0 && !(overflow ? [_, 0, _]) ->
#else
  :: len(overflow) != 0 ->
#endif
     acquire(stock);
     if
     :: stock == NONE -> break
     :: else ->
       atomic {
         overflow ? first[BUFFER(me, stock)], count[BUFFER(me, stock)], requests[BUFFER(me, stock)]
       };
       transport_send(stock);
       useful = true
     fi
  od;
  stock = 0
}

/* Inbox::execute, from message `message` of buffer `current` on; both are the core's remainder if a
 * message suspends. */
inline execute() {
  do
  :: atomic {
       message < count[current] ->
       assert(holder[current] == me);
       assert(first[current] + message == expected); /* exactly once, in the order sent */
       expected++;
       executed++;
       wants_answer = (requests[current] >> message) & 1;
       message++
     };
#ifdef MUTANT_GIVES_BACK_BEFORE_THE_LAST_MESSAGE_ENDS
     if
     :: message == count[current] && wants_answer -> give_back()
     :: else
     fi;
#endif
     if
     :: wants_answer -> /* answers at once, as a handler: never waits */
        wants_answer = false;
        append(0, false)
     :: wants_answer -> /* suspends: Inbox::detach */
        atomic { wants_answer = false; suspended++; has_remainder = true; break }
     :: else
     fi
  :: atomic { message == count[current] -> assert(holder[current] == me) };
     give_back();
     break
  od
}

/* Transport::release, ShmLink::give_back */
inline give_back() {
  atomic {
    assert(returned[GIVE_BACK_SLOT] == 0); /* "return ring is full" */
    store(returned[GIVE_BACK_SLOT], current - BUFFER(1 - me, 0) + 1, current);
    give_back_position = (give_back_position + 1) % RETURN_RING;
    current = 0;
    message = 0
  }
}

/* Something that a poll would do. What is left out here changes nothing. */
#define POLL_IS_DUE                                                                              \
  (returned[RETURNED_SLOT] != 0 || (backlog != NONE && OUTBOUND_IS_FREE) ||                      \
   (at_home != 0 && (len(overflow) != 0 || waiting != 0)) || has_remainder ||                    \
   inbound[INBOUND_SLOT] != 0)

active [2] proctype core() {
  byte me = _pid;
  byte outbound_position = 0, inbound_position = 0, give_back_position = 0, returned_position = 0;
  byte at_home = (1 << STOCK) - 1; /* BufferPool, fresh ones included */
  byte backlog = NONE, backlog_last = 0;
  byte opened = NONE;              /* Outbox::buffer_ */
  chan overflow = [ALL_MESSAGES] of { byte, byte, byte };
  byte ready = (_pid == 0 -> TASKS_0 : TASKS_1), waiting = 0; /* tasks that want to send; buffer_waiters_ */
  byte suspended = 0;              /* handlers that still have to answer */
  byte current = 0, message = 0;
  bool has_remainder = false;
  byte sent = 0, expected = 0;
  byte scratch = 0, stock = 0;
  bool done = false, wants_answer = false, any = false, useful = false;

  d_step {
    do
    :: scratch <= STOCK -> holder[BUFFER(me, scratch)] = me; scratch++
    :: else -> break
    od;
    scratch = 0
  }

  do
  /* A task sends its request. */
  :: ready > 0 ->
     ready--;
     append(1, true);
     if
     :: done
     :: else -> waiting++ /* buffer_waiters_.suspend() */
     fi;
     done = false;
     useful = false

  /* A handler that has suspended answers: on the worker of a task, but an answer never waits. */
  :: suspended > 0 ->
     suspended--;
     append(0, false);
     done = false;
     useful = false

  /* The open buffer is old enough, or there is nothing else to do. */
  :: opened != NONE -> flush()

  /* Aggregator::poll */
  :: POLL_IS_DUE ->
     progress();
     send_overflow();
#ifndef MUTANT_WAKES_NOBODY_BESIDE_HANDLERS
     atomic {
       scratch = (at_home & 1) + ((at_home >> 1) & 1) + (at_home >> 2); /* available() */
       do
       :: scratch > 0 && waiting > 0 -> waiting--; ready++; scratch--; useful = true
       :: else -> break
       od;
       scratch = 0
     };
#endif
     if /* flush_aged */
     :: opened != NONE -> flush()
     :: true
     fi;
     any = false;
     do
     :: has_remainder -> any = true; has_remainder = false; execute()
     :: atomic { !has_remainder && inbound[INBOUND_SLOT] != 0 ->
          any = true;
          current = BUFFER(1 - me, inbound[INBOUND_SLOT] - 1);
#ifndef MUTANT_POP_LEAVES_THE_ENTRY
          inbound[INBOUND_SLOT] = 0;
#endif
          inbound_position = (inbound_position + 1) % RING;
          assert(holder[current] == TRAVELS);
          holder[current] = me;
          next[current] = NONE; /* the link is the holder's, so whoever has it may write there */
          message = 0 };
        execute()
     :: atomic { !has_remainder && inbound[INBOUND_SLOT] == 0 -> break }
     :: any -> break /* buffers_per_poll */
     od;
     assert(useful || any); /* or it would be called again and again in vain */
     any = false;
     useful = false;
     done = false

  /* The job is over when all that was sent has been executed, and all buffers have come home. */
  :: executed == ALL_MESSAGES && at_home == (1 << STOCK) - 1 && opened == NONE -> break
  od;
  assert(ready == 0 && waiting == 0 && suspended == 0 && !has_remainder && backlog == NONE);
  assert(len(overflow) == 0 && sent == EACH_WAY && expected == EACH_WAY)
}
