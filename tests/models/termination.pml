/* When a finish returns: the completion scopes of system/parallel/scope_tree.cpp and
 * finish_scope.cpp, with the parts of tasking/task_scope.hpp, message/inbox.cpp, message/send.hpp,
 * global/reply.hpp and parallel/steal.hpp that count for them. One scope, its home and two others.
 *
 * A core runs one stretch of code at a time, from one point where it may suspend to the next, and
 * stretches of different cores meet only in messages: so each option below is one stretch of one core,
 * atomic, and named after the function that it is in. What a program does is not fixed: whoever is
 * awake may send, request, spawn, suspend and end in any order, until what it may start is used up.
 *
 * What is counted and not listed. Messages have no identity: what is under way between two cores is a
 * number, and any of it may arrive next, in runs of any size. So messages may overtake each other
 * freely. Tasks and handlers have no memory, so those that could run next are a number too, and each
 * action is a stretch of its own: whatever runs may suspend between any two actions, and need not. A
 * buffer that a task waits for delays its message, as the network may.
 *
 * RESERVED: an open run reserves open work for as many messages as its chunk holds, instead of one
 * for each, and gives back what it did not need when it is closed.
 *
 * ENROLLS: so often a core other than the home comes in by itself, as into a global completion
 * event: it asks the home for a unit of work, and starts a task when it has the answer. A home that
 * is asked when the wait is over refuses here; in the code a new round begins.
 *
 * MUTANT_...: mistakes that must be found. */

#define CORES 3
#define HOME 0

/* What may be started in all. */
#ifndef MESSAGES
#define MESSAGES 3  /* counted messages */
#endif
#ifndef REQUESTS
#define REQUESTS 2  /* blocking delegates to another core */
#endif
#ifndef TASKS
#define TASKS 2
#endif
#ifndef STEALS
#define STEALS 1
#endif
#ifndef ENROLLS
#define ENROLLS 0
#endif
#ifndef LONGEST_RUN
#define LONGEST_RUN 2
#endif
#define LARGEST_NUMBER (MESSAGES + REQUESTS + STEALS + ENROLLS) /* in an acknowledgement */
#define CHUNK 2 /* messages that fit a chunk of a run */

byte messages_left = MESSAGES, tasks_left = TASKS, steals_left = STEALS, requests_made = 0;

/* TaskScope and RemoteScope, by core. The home's exists from the beginning. */
bool in_scope[CORES] = { true, false, false };
byte open[CORES];
byte debt[CORES];
byte executing[CORES];  /* not counted at home */
byte parent[CORES];

/* FinishScope: the task that opened it runs the body, waits for an answer, waits for the scope
 * (waiter_ is set), has been woken, has returned. */
mtype = { BODY, IN_REQUEST, WAITS, WOKEN, RETURNED };
mtype opener = BODY;

/* Tasks of the scope that could run, by core; those that wait for an answer are not among them. */
byte live[CORES];

/* Workers that execute a run of `n` counted messages from `source`, and could go on. */
#define RUN(core, source, n) (((core) * CORES + (source)) * LONGEST_RUN + (n) - 1)
#define RUNS (CORES * CORES * LONGEST_RUN)
byte runs[RUNS];

/* Workers in handlers that could go on, those of requests included, by core. */
byte handlers[CORES];

/* Counted messages that have been sent and not executed. */
#define LINK(source, dest) ((source) * CORES + (dest))
byte under_way[CORES * CORES];
#ifdef RESERVED
byte run_messages[CORES * CORES]; /* in the run that is open, */
byte run_reserved[CORES * CORES]; /* and what it has reserved */
#endif

/* Acknowledgements that have been sent and not executed, by the number they carry. */
#define ACK(dest, n) ((dest) * LARGEST_NUMBER + (n) - 1)
byte acknowledgements[CORES * LARGEST_NUMBER];

/* Blocking delegates: the slot on the caller's stack, and where the request is. */
mtype = {
  SENT,       /* the request is under way */
  RUNNING,    /* its handler could go on at the owner */
  HANDLER_IN_REQUEST,
  DECIDED, DECIDED_WORK_LEFT, /* mutant: between deciding on the answer and sending it */
  REPLY, REPLY_WITH_WORK,     /* the answer is under way */
  FILLED, FILLED_WORK_LEFT    /* the caller is awake */
};
#define UNUSED 0 /* not made yet, or over */
mtype state[REQUESTS];
byte caller[REQUESTS], owner[REQUESTS];
byte who[REQUESTS]; /* waits for it: */
#define A_TASK 0
#define THE_OPENER 1
#define A_RUN(source, n) (2 + (source) * LONGEST_RUN + (n) - 1)
#define HANDLER_OF(request) (2 + CORES * LONGEST_RUN + (request))

#if ENROLLS > 0
byte enrolls_left = ENROLLS;
byte asked[CORES];   /* units of the home, by core: the question is under way, */
byte granted[CORES]; /* or the answer */
#endif

/* Only for the checks. */
byte waiting[CORES];                     /* workers of the scope that wait for an answer */
byte executing_from[CORES * CORES];      /* runs that a core executes, by source: LINK(source, core) */

#define AWAKE(core) (live[core] + handlers[core] + (core == HOME && opener == BODY) > 0)

#define FOR_EACH_CORE(OPTION) OPTION(0) OPTION(1) OPTION(2)
#if LONGEST_RUN == 2
#define FOR_EACH_RUN(OPTION) \
  OPTION(0, 1) OPTION(0, 2) OPTION(1, 1) OPTION(1, 2) OPTION(2, 1) OPTION(2, 2)
#else
#define FOR_EACH_RUN(OPTION) OPTION(0, 1) OPTION(1, 1) OPTION(2, 1)
#endif
#if REQUESTS == 3
#define FOR_EACH_REQUEST(OPTION) OPTION(0) OPTION(1) OPTION(2)
#define FOR_EACH_PAIR(OPTION) \
  OPTION(0, 1) OPTION(0, 2) OPTION(1, 0) OPTION(1, 2) OPTION(2, 0) OPTION(2, 1)
#elif REQUESTS == 2
#define FOR_EACH_REQUEST(OPTION) OPTION(0) OPTION(1)
#define FOR_EACH_PAIR(OPTION) OPTION(0, 1) OPTION(1, 0)
#else
#define FOR_EACH_REQUEST(OPTION) OPTION(0)
#define FOR_EACH_PAIR(OPTION)
#endif
#if LARGEST_NUMBER == 7
#define FOR_EACH_NUMBER(OPTION) \
  OPTION(1) OPTION(2) OPTION(3) OPTION(4) OPTION(5) OPTION(6) OPTION(7)
#elif LARGEST_NUMBER == 6
#define FOR_EACH_NUMBER(OPTION) OPTION(1) OPTION(2) OPTION(3) OPTION(4) OPTION(5) OPTION(6)
#elif LARGEST_NUMBER == 5
#define FOR_EACH_NUMBER(OPTION) OPTION(1) OPTION(2) OPTION(3) OPTION(4) OPTION(5)
#elif LARGEST_NUMBER == 4
#define FOR_EACH_NUMBER(OPTION) OPTION(1) OPTION(2) OPTION(3) OPTION(4)
#else
#define FOR_EACH_NUMBER(OPTION) OPTION(1) OPTION(2) OPTION(3)
#endif

/* What system/parallel/scope_tree.cpp calls by the same names. */

/* find(): null for a remote scope that is not there; at home a pointer, which must still be good. */
inline find(core) { assert(in_scope[core]) }

/* TaskScope::enroll. Nobody may join a scope whose opener has been told that it is over. */
inline enroll(core, n) {
  find(core);
  assert(core != HOME || opener != WOKEN);
  open[core] = open[core] + n
}

inline acknowledge(sender, n) {
  assert(n > 0 && n <= LARGEST_NUMBER);
  acknowledgements[ACK(sender, n)]++
}

inline pay_if_idle(core) {
  if
#ifdef MUTANT_PAYS_WHILE_EXECUTING
  :: open[core] != 0
#else
  :: open[core] != 0 || executing[core] != 0
#endif
  :: else ->
    /* remote_scopes().erase: nobody may still point to it. */
    assert(live[core] == 0 && handlers[core] == 0 && waiting[core] == 0 && executing[core] == 0);
    in_scope[core] = false;
    if
#ifdef MUTANT_PAYS_ONE
    :: debt[core] > 0 -> acknowledge(parent[core], 1)
#else
    :: debt[core] > 0 -> acknowledge(parent[core], debt[core])
#endif
    :: else
    fi;
    debt[core] = 0;
    parent[core] = 0
  fi
}

/* FinishScope::on_drained, remote_drained */
inline drained(core) {
  if
  :: core == HOME ->
    assert(opener != WOKEN);
    if
    :: opener == WAITS -> opener = WOKEN
    :: else
    fi
  :: else -> pay_if_idle(core)
  fi
}

/* TaskScope::complete */
inline complete(core, n) {
  find(core);
  assert(open[core] >= (n)); /* "more completed in a scope than was started" */
  open[core] = open[core] - (n);
  if
  :: open[core] == 0 -> drained(core)
  :: else
  fi
}

inline enter(core, source) {
  if
  :: core == HOME -> find(core)
  :: else ->
    if
    :: !in_scope[core] ->
      in_scope[core] = true;
#ifdef MUTANT_PARENT_IS_HOME
      parent[core] = HOME
#else
      parent[core] = source
#endif
    :: else
#ifdef MUTANT_PARENT_IS_LAST
      -> if
         :: debt[core] == 0 -> parent[core] = source
         :: else
         fi
#endif
    fi;
    executing[core]++;
    executing_from[LINK(source, core)]++
  fi
}

inline leave(core, source, executed) {
  find(core);
  if
  :: executed > 0 ->
    if
    :: source == core -> complete(core, executed) /* elsewhere than at home, executing keeps it */
#ifndef MUTANT_PARENT_IS_NOT_OWED
    :: source != core && core != HOME && source == parent[core] ->
      debt[core] = debt[core] + executed
    :: source != core && !(core != HOME && source == parent[core]) -> acknowledge(source, executed)
#else
    :: source != core -> acknowledge(source, executed)
#endif
    fi
  :: else
  fi;
  if
  :: core == HOME
  :: else ->
    assert(in_scope[core] && executing[core] > 0);
    executing[core]--;
    executing_from[LINK(source, core)]--;
    pay_if_idle(core)
  fi
}

#if ENROLLS > 0
/* take_unit_of_home(), and what its caller counts then. */
inline take_unit_of_home(core) {
  if
#ifdef MUTANT_UNIT_CHANGES_THE_PARENT
  :: true ->
#else
  :: !in_scope[core] ->
#endif
    in_scope[core] = true;
    parent[core] = HOME
#ifndef MUTANT_UNIT_CHANGES_THE_PARENT
  :: else
#endif
  fi;
  if
#ifdef MUTANT_UNIT_IS_GIVEN_BACK_AT_ONCE
  :: true -> acknowledge(HOME, 1)
#else
  :: parent[core] == HOME -> debt[core]++
#ifdef MUTANT_UNIT_IS_LOST
  :: else
#else
  :: else -> acknowledge(HOME, 1)
#endif
#endif
  fi
}
#endif

/* answer_leaves_work(): goes to `yes` or `no`. */
#if defined(MUTANT_ANSWER_ALWAYS_ACKNOWLEDGES)
#define ANSWER_LEAVES_WORK(core, from) false
#elif defined(MUTANT_EXECUTING_IS_NO_WORK)
#define OTHERS(core) (open[core] > 0)
#elif defined(MUTANT_ANSWER_LEAVES_WORK_FOR_ALL)
#define ANSWER_LEAVES_WORK(core, from) (core != HOME && debt[core] == 0 && OTHERS(core))
#elif defined(MUTANT_ANSWER_FORGETS_DEBT)
#define ANSWER_LEAVES_WORK(core, from) (core != HOME && from == parent[core] && OTHERS(core))
#endif
#ifndef OTHERS
#define OTHERS(core) (open[core] > 0 || executing[core] > 1)
#endif
#ifndef ANSWER_LEAVES_WORK
#define ANSWER_LEAVES_WORK(core, from) \
  (core != HOME && from == parent[core] && debt[core] == 0 && OTHERS(core))
#endif

/* Request::operator(), after the body: to decide and to append the answer is one step. */
inline answer(core, r, reply, reply_with_work) {
  find(core);
  if
  :: ANSWER_LEAVES_WORK(core, caller[r]) ->
    debt[core] = 1;
    state[r] = reply_with_work
  :: else -> state[r] = reply
  fi
}

/* The worker that made request r can go on. */
inline resume(core, r) {
  waiting[core]--;
  if
  :: who[r] == A_TASK -> live[core]++
  :: who[r] == THE_OPENER -> opener = BODY
#define RESUME_RUN(source, n) :: who[r] == A_RUN(source, n) -> runs[RUN(core, source, n)]++; handlers[core]++
  FOR_EACH_RUN(RESUME_RUN)
#define RESUME_HANDLER(r2) :: who[r] == HANDLER_OF(r2) -> state[r2] = RUNNING; handlers[core]++
  FOR_EACH_REQUEST(RESUME_HANDLER)
  fi;
  state[r] = UNUSED;
  caller[r] = 0;
  owner[r] = 0;
  who[r] = 0
}

/* request() in reply.hpp, as far as suspend(). The slot is the next one: each is used once. */
inline request(core, dest, waiter) {
  waiting[core]++;
  enroll(core, 1);
  state[requests_made] = SENT;
  caller[requests_made] = core;
  owner[requests_made] = dest;
  who[requests_made] = waiter;
  requests_made++
}

/* What must hold between two stretches, of a core that is in the scope and not its home: what the
 * tree stands on. Mutants are to be found by what becomes of the program, so they go without. */
inline check_tree(core) {
  if
#ifdef MUTANT
  :: true
#else
  :: core != HOME && in_scope[core] ->
    assert(debt[core] > 0 || executing_from[LINK(parent[core], core)] > 0);
    assert(parent[core] != core && in_scope[parent[core]] && open[parent[core]] > 0);
    assert(parent[core] == HOME || parent[parent[core]] != core)
  :: else
#endif
  fi
}

#define NOTHING_ON(core)                                                                         \
  (live[core] == 0 && handlers[core] == 0 && waiting[core] == 0 && executing[core] == 0 &&       \
   (core == HOME || !in_scope[core]) && under_way[LINK(core, 0)] == 0 &&                         \
   under_way[LINK(core, 1)] == 0 && under_way[LINK(core, 2)] == 0)

/* append() of a counted message. */
#ifdef RESERVED
inline send_counted(core, dest) {
  if
  :: run_messages[LINK(core, dest)] == run_reserved[LINK(core, dest)] ->
    /* Outbox::make_room: a new run, or the open one grows */
    enroll(core, CHUNK);
    run_reserved[LINK(core, dest)] = run_reserved[LINK(core, dest)] + CHUNK
  :: else
  fi;
  run_messages[LINK(core, dest)]++
}
#else
inline send_counted(core, dest) {
  enroll(core, 1);
  under_way[LINK(core, dest)]++
}
#endif

#define ME _pid

/* The end of a stretch: what it has worked on means nothing any more. */
inline stretch_ends() {
  check_tree(ME);
  dest = 0;
  source = 0;
  n = 0;
  r = 0;
  r2 = 0
}

active [CORES] proctype core() {
  byte dest = 0, source = 0, n = 0, r = 0, r2 = 0; /* of one stretch */

  do

  /* ---- What a body does, of whoever is awake: the opener, a task, a handler. ---- */

  /* send_counted */
#define TO(core) :: dest = core
  :: atomic {
       AWAKE(ME) && messages_left > 0 ->
       if FOR_EACH_CORE(TO) fi;
       messages_left--;
       send_counted(ME, dest);
       stretch_ends()
     }

  /* Scheduler::start_task */
  :: atomic {
       AWAKE(ME) && tasks_left > 0 ->
       tasks_left--;
       enroll(ME, 1);
       live[ME]++;
       stretch_ends()
     }

  /* request() in reply.hpp: whoever asks waits. */
#define TO_ANOTHER(core) :: core != ME -> dest = core
#define RUN_ASKS(from, m)                                                                    \
  :: requests_made < REQUESTS && runs[RUN(ME, from, m)] > 0 ->                               \
     runs[RUN(ME, from, m)]--; handlers[ME]--; r = A_RUN(from, m)
#define HANDLER_ASKS(q)                                                                      \
  :: requests_made < REQUESTS && state[q] == RUNNING && owner[q] == ME ->                    \
     state[q] = HANDLER_IN_REQUEST; handlers[ME]--; r = HANDLER_OF(q)
  :: atomic {
       if
       :: requests_made < REQUESTS && live[ME] > 0 -> live[ME]--; r = A_TASK
       :: requests_made < REQUESTS && ME == HOME && opener == BODY ->
          opener = IN_REQUEST; r = THE_OPENER
       FOR_EACH_RUN(RUN_ASKS)
       FOR_EACH_REQUEST(HANDLER_ASKS)
       fi;
       if FOR_EACH_CORE(TO_ANOTHER) fi;
       request(ME, dest, r);
       stretch_ends()
     }

  /* ... and goes on when the answer is there. */
#ifdef MUTANT_CALLER_ALWAYS_SUBTRACTS
#define MUST_SUBTRACT true
#else
#define MUST_SUBTRACT (n == 1)
#endif
#define ANSWERED(q)                                                                          \
  :: state[q] == FILLED && caller[q] == ME -> r = q; n = 1                                   \
  :: state[q] == FILLED_WORK_LEFT && caller[q] == ME -> r = q
  :: atomic {
       if FOR_EACH_REQUEST(ANSWERED) fi;
       resume(ME, r);
       if
       :: MUST_SUBTRACT -> complete(ME, 1)
       :: else
       fi;
       stretch_ends()
     }

  /* ---- A task ends, or moves: Scheduler::run_task, PublicBody::send. ---- */

  :: atomic { live[ME] > 0 -> live[ME]--; complete(ME, 1); stretch_ends() }

  :: atomic {
       live[ME] > 0 && steals_left > 0 ->
       if FOR_EACH_CORE(TO_ANOTHER) fi;
       steals_left--;
       live[ME]--;
#if defined(RESERVED) && defined(MUTANT_STOLEN_COUNTED_TWICE)
       send_counted(ME, dest);
#elif defined(RESERVED) && defined(MUTANT_STOLEN_UNCOUNTED_FIRST)
       complete(ME, 1);
       send_counted(ME, dest);
#elif defined(RESERVED)
       /* The run has reserved for the message, so the task no longer counts; in this order. */
       send_counted(ME, dest);
       complete(ME, 1);
#else
       /* "The message takes the place of the task in its scope's count." */
       under_way[LINK(ME, dest)]++;
#ifdef MUTANT_STOLEN_IS_NOT_COUNTED
       complete(ME, 1);
#endif
#endif
       stretch_ends()
     }

#ifdef RESERVED
  /* ---- Outbox::close_run: the surplus goes back, then the run may be sent. ---- */

#define HAS_OPEN_RUN(core) :: run_messages[LINK(ME, core)] > 0 -> dest = core
  :: atomic {
       if FOR_EACH_CORE(HAS_OPEN_RUN) fi;
#if defined(MUTANT_SURPLUS_IS_LOST)
#elif defined(MUTANT_SURPLUS_IS_THE_CHUNK)
       complete(ME, run_reserved[LINK(ME, dest)]);
#else
       n = run_reserved[LINK(ME, dest)] - run_messages[LINK(ME, dest)];
       if
       :: n > 0 ->
         complete(ME, n);
         assert(open[ME] > 0) /* what is sent is counted */
       :: else
       fi;
#endif
       under_way[LINK(ME, dest)] = under_way[LINK(ME, dest)] + run_messages[LINK(ME, dest)];
       run_messages[LINK(ME, dest)] = 0;
       run_reserved[LINK(ME, dest)] = 0;
       stretch_ends()
     }
#endif

  /* ---- Inbox::execute_run_at: a run begins. If a message suspends, detach() cuts the run behind
   * it, and the rest is executed like a run of its own. ---- */

#define RUN_ARRIVES(from, m) :: under_way[LINK(from, ME)] >= m -> source = from; n = m
  :: atomic {
       if FOR_EACH_RUN(RUN_ARRIVES) fi;
       under_way[LINK(source, ME)] = under_way[LINK(source, ME)] - n;
       enter(ME, source);
#ifdef MUTANT_ACKNOWLEDGED_ON_ARRIVAL
       if
       :: source != ME && !(ME != HOME && source == parent[ME]) -> acknowledge(source, n)
       :: else
       fi;
#endif
       runs[RUN(ME, source, n)]++;
       handlers[ME]++;
       stretch_ends()
     }

#define REQUEST_ARRIVES(q) :: state[q] == SENT && owner[q] == ME -> r = q
  :: atomic {
       if FOR_EACH_REQUEST(REQUEST_ARRIVES) fi;
       state[r] = RUNNING;
       enter(ME, caller[r]);
       handlers[ME]++;
       stretch_ends()
     }

  /* ---- Its last message has ended. ---- */

#define RUN_ENDS(from, m) :: runs[RUN(ME, from, m)] > 0 -> source = from; n = m
  :: atomic {
       if FOR_EACH_RUN(RUN_ENDS) fi;
       runs[RUN(ME, source, n)]--;
       handlers[ME]--;
#ifdef MUTANT_ACKNOWLEDGED_ON_ARRIVAL
       n = (source == ME || (ME != HOME && source == parent[ME]) -> n : 0);
#endif
       leave(ME, source, n);
       stretch_ends()
     }

#define RUNS_HERE(q) :: state[q] == RUNNING && owner[q] == ME -> r = q
#define IS_DECIDED(q)                                                                        \
  :: (state[q] == DECIDED || state[q] == DECIDED_WORK_LEFT) && owner[q] == ME -> r = q
  :: atomic {
#ifdef MUTANT_ANSWER_IN_TWO_STEPS
       if FOR_EACH_REQUEST(RUNS_HERE) fi;
       answer(ME, r, DECIDED, DECIDED_WORK_LEFT);
       stretch_ends()
     }
  :: atomic {
       if FOR_EACH_REQUEST(IS_DECIDED) fi;
       state[r] = (state[r] == DECIDED -> REPLY : REPLY_WITH_WORK);
#else
       if FOR_EACH_REQUEST(RUNS_HERE) fi;
       answer(ME, r, REPLY, REPLY_WITH_WORK);
#endif
       handlers[ME]--;
       leave(ME, caller[r], 0);
       stretch_ends()
     }

  /* The run goes on with the next request without leaving. */
#define NEXT_REQUEST(q, q2)                                                                  \
  :: state[q] == RUNNING && owner[q] == ME && state[q2] == SENT && owner[q2] == ME &&        \
     caller[q2] == caller[q] -> r = q; r2 = q2
#if REQUESTS > 1
  :: atomic {
       if FOR_EACH_PAIR(NEXT_REQUEST) fi;
       answer(ME, r, REPLY, REPLY_WITH_WORK);
       state[r2] = RUNNING;
       stretch_ends()
     }
#endif

  /* ---- Messages of no scope: acknowledge()'s, Reply, ReplyWithWork. ---- */

#define ACKNOWLEDGED(m) :: acknowledgements[ACK(ME, m)] > 0 -> n = m
  :: atomic {
       if FOR_EACH_NUMBER(ACKNOWLEDGED) fi;
       acknowledgements[ACK(ME, n)]--;
       complete(ME, n);
       stretch_ends()
     }

#define REPLY_ARRIVES(q)                                                                     \
  :: state[q] == REPLY && caller[q] == ME -> state[q] = FILLED                               \
  :: state[q] == REPLY_WITH_WORK && caller[q] == ME -> state[q] = FILLED_WORK_LEFT
  :: atomic { if FOR_EACH_REQUEST(REPLY_ARRIVES) fi; stretch_ends() }

#if ENROLLS > 0
  /* ---- GlobalCompletionEvent::bring_in: by whoever runs on a core, in the event or not. ---- */

  :: atomic {
       ME != HOME && enrolls_left > 0 ->
       enrolls_left--;
#ifdef MUTANT_HOME_IS_NOT_WAITED_FOR
       asked[ME]++;
       granted[ME]++;
#else
       asked[ME]++;
#endif
       stretch_ends()
     }

#define ASKS(core) :: ME == HOME && opener != RETURNED && asked[core] > 0 -> source = core
  :: atomic {
       if FOR_EACH_CORE(ASKS) fi;
       asked[source]--;
       if
       :: opener != WOKEN ->
         enroll(HOME, 1);
#ifndef MUTANT_HOME_IS_NOT_WAITED_FOR
         granted[source]++
#endif
       :: else
       fi;
       stretch_ends()
     }

  :: atomic {
       granted[ME] > 0 ->
       granted[ME]--;
       take_unit_of_home(ME);
       enroll(ME, 1);
       live[ME]++;
       stretch_ends()
     }
#endif

  /* ---- FinishScope::wait, and a GlobalCompletionEvent's on its home ---- */

  :: atomic { ME == HOME && opener == BODY ->
       if
       :: open[HOME] == 0 -> opener = WOKEN
       :: else -> opener = WAITS
       fi }
  :: atomic { ME == HOME && opener == WOKEN -> opener = RETURNED; break }

  /* The others poll as long as the job lasts. */
  :: atomic { ME != HOME && opener == RETURNED -> break }
  od;

  if
  :: ME == HOME ->
    atomic {
      assert(NOTHING_ON(0) && NOTHING_ON(1) && NOTHING_ON(2));
#if ENROLLS > 0
      assert(granted[1] == 0 && granted[2] == 0);
#endif
      r = 0;
      do
      :: r < CORES * LARGEST_NUMBER -> assert(acknowledgements[r] == 0); r++
      :: else -> break
      od
    }
  :: else
  fi
}
