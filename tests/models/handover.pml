/* A model of buffer transfer between two cores of a locale: message/aggregator.cpp,
 * message/inbox.cpp, net/transport.cpp, and net/shm_link.*.
 *
 * On each core some tasks send one request each. The handler of a request sends a reply, either at
 * once or after it has suspended. The model checks these properties: Messages begin exactly once
 * and in the order of the sends. A buffer has one holder at a time. Return rings never overflow.
 * All messages are executed and all buffers are returned. A core polls only if the poll would do
 * something, so an endless wait appears as a state without a next step.
 *
 * Each core is one thread. The cores share only the ring slots and the buffers, so each step
 * accesses at most one slot. All other data belongs to one core, and the code follows the named
 * functions. Memory is sequentially consistent; tests/net/shm_ring_test.cpp covers weaker orders.
 *
 * Not modelled: buffers to the own core, MPI, and more than one open run. With one open run,
 * messages of all types keep their order; with several, only messages of one type do.
 *
 * MUTANT_...: mistakes that the check must detect. */

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
#define TASKS_0 2 /* tasks on core 0 */
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

#define EACH_WAY (TASKS_0 + TASKS_1) /* requests in one direction, replies in the other */
#define ALL_MESSAGES (2 * EACH_WAY)
#define NONE 255
#define TRAVELS 2 /* value of holder[] for a buffer in transit */

/* The buffers in shared memory: those that each core owns, and one overflow buffer per core
 * (BufferOrigin::Overflow; at most one of these is being filled). The sender numbers its messages.
 * A buffer contains `count` messages from number `first`. Bit k of `requests` is set if message k
 * requests a reply. */
#define BUFFER(owner, index) ((owner) * (STOCK + 1) + (index))
#define BUFFERS (2 * (STOCK + 1))
#define SPARE STOCK
byte first[BUFFERS];
byte count[BUFFERS];
byte requests[BUFFERS];
byte next[BUFFERS] = NONE;

/* Ring slots; 0 marks a free slot. */
byte inbound[2 * RING];
byte returned[2 * RETURN_RING];

/* Used only by the checks. */
byte holder[BUFFERS];
byte executed = 0;

/* ShmRingProducer::try_push, in the same step as the test that the slot is free. */
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

/* ShmLink::try_send for a buffer of the own pool; the ring is not full */
inline push_outbound(index) {
  store(inbound[OUTBOUND_SLOT], (index) + 1, BUFFER(me, index));
  outbound_position = (outbound_position + 1) % RING
}

/* Resets the old contents of a buffer, which reduces the number of states. */
inline clear(buffer) {
  first[buffer] = 0;
  count[buffer] = 0;
  requests[buffer] = 0;
  next[buffer] = NONE
}

/* BufferPool::put */
inline pool_put(index) {
  assert(holder[BUFFER(me, index)] == me && !(free_buffers & (1 << (index))));
  free_buffers = free_buffers | (1 << (index));
  clear(BUFFER(me, index))
}

/* Transport::send appends to the backlog; the list is linked through the buffers */
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

/* Transport::progress: calls ShmLink::reclaim until it returns null, and then retries backlogs. */
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

/* BufferPool::take; the choice of the buffer is irrelevant */
inline take(result) {
  if
  :: free_buffers == 0 -> result = NONE
  :: else ->
    result = (free_buffers & 1 -> 0 : (free_buffers & 2 -> 1 : 2));
    free_buffers = free_buffers & ~(1 << result)
  fi
}

/* Transport::acquire */
inline acquire(result) {
  if
  :: free_buffers == 0 -> progress()
  :: else
  fi;
  atomic { take(result) }
}

/* The end of Aggregator::flush for the open buffer */
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
      :: else -> clear(BUFFER(me, SPARE))    /* to overflow_buffers_ */
      fi
    }
  fi
}

/* Aggregator::flush */
inline flush() {
  hand_over();
  opened = NONE
}

/* Aggregator::open_buffer. Leaves opened == NONE if the calling task must suspend. */
inline open_buffer(waits_for_stock) {
  if
  :: waits_for_stock && len(overflow) != 0 -> /* messages must not overtake the overflow */
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

/* Aggregator::append with make_room. Sets `done` to false if the caller must suspend and retry. */
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

/* Aggregator::send_overflow. The entry remains the first until it has been sent. */
inline send_overflow() {
  do
  :: len(overflow) == 0 -> break
#ifdef MUTANT_OVERFLOW_KEEPS_STOCK
  :: overflow ? [_, 0, _] -> overflow ? pool_buffer, _, _; transport_send(pool_buffer)
  :: len(overflow) != 0 && !(overflow ? [_, 0, _]) ->
#else
  :: len(overflow) != 0 ->
#endif
     acquire(pool_buffer);
     if
     :: pool_buffer == NONE -> break
     :: else ->
       atomic {
         overflow ? first[BUFFER(me, pool_buffer)], count[BUFFER(me, pool_buffer)], requests[BUFFER(me, pool_buffer)]
       };
       transport_send(pool_buffer);
       useful = true
     fi
  od;
  pool_buffer = 0
}

/* Inbox::execute, from message `message` of buffer `current`. Both describe the remainder. */
inline execute() {
  do
  :: atomic {
       message < count[current] ->
       assert(holder[current] == me);
       assert(first[current] + message == expected); /* exactly once, in the order of the sends */
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
     :: wants_answer -> /* replies at once, in the handler, which never waits */
        wants_answer = false;
        append(0, false)
     :: wants_answer -> /* the handler suspends: Inbox::detach */
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

/* True if a poll would do something. Omitted actions change no state. */
#define POLL_IS_DUE                                                                              \
  (returned[RETURNED_SLOT] != 0 || (backlog != NONE && OUTBOUND_IS_FREE) ||                      \
   (free_buffers != 0 && (len(overflow) != 0 || waiting != 0)) || has_remainder ||                    \
   inbound[INBOUND_SLOT] != 0)

active [2] proctype core() {
  byte me = _pid;
  byte outbound_position = 0, inbound_position = 0, give_back_position = 0, returned_position = 0;
  byte free_buffers = (1 << STOCK) - 1; /* BufferPool, including buffers never used */
  byte backlog = NONE, backlog_last = 0;
  byte opened = NONE;              /* Outbox::buffer_ */
  chan overflow = [ALL_MESSAGES] of { byte, byte, byte };
  byte ready = (_pid == 0 -> TASKS_0 : TASKS_1), waiting = 0; /* tasks to send; buffer_waiters_ */
  byte suspended = 0;              /* suspended handlers that have not replied yet */
  byte current = 0, message = 0;
  bool has_remainder = false;
  byte sent = 0, expected = 0;
  byte scratch = 0, pool_buffer = 0;
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

  /* A suspended handler replies. It runs on the worker of a task, but a reply never waits. */
  :: suspended > 0 ->
     suspended--;
     append(0, false);
     done = false;
     useful = false

  /* The open buffer has reached the age limit, or the core is idle. */
  :: opened != NONE -> flush()

  /* Aggregator::poll */
  :: POLL_IS_DUE ->
     progress();
     send_overflow();
#ifndef MUTANT_WAKES_NOBODY_BESIDE_HANDLERS
     atomic {
       scratch = (free_buffers & 1) + ((free_buffers >> 1) & 1) + (free_buffers >> 2); /* available() */
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
          next[current] = NONE; /* the link belongs to the holder, which may overwrite it */
          message = 0 };
        execute()
     :: atomic { !has_remainder && inbound[INBOUND_SLOT] == 0 -> break }
     :: any -> break /* buffers_per_poll */
     od;
     assert(useful || any); /* otherwise the core would poll in vain forever */
     any = false;
     useful = false;
     done = false

  /* The job ends when all messages have been executed and all buffers have been returned. */
  :: executed == ALL_MESSAGES && free_buffers == (1 << STOCK) - 1 && opened == NONE -> break
  od;
  assert(ready == 0 && waiting == 0 && suspended == 0 && !has_remainder && backlog == NONE);
  assert(len(overflow) == 0 && sent == EACH_WAY && expected == EACH_WAY)
}
