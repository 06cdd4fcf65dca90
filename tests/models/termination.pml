/* A model of the completion scopes that decide when a finish returns:
 * system/parallel/finish_scope.cpp, with the counting parts of
 * tasking/task.hpp, message/inbox.cpp, message/send.hpp, global/reply.hpp and
 * parallel/steal.hpp. There is one scope, with its home and two other cores.
 *
 * A core executes one *stretch* of code at a time: the code from one point of possible suspension
 * to the next. Stretches of different cores interact only through messages. Each option below is
 * therefore one atomic stretch of one core, named after its function. The behaviour of the program
 * is not fixed: each running task or handler may send, request, spawn, suspend and end in any
 * order, until the limits below are used up.
 *
 * Messages have no identity. The messages in flight between two cores are a number. Any of them may
 * arrive next, in runs of any size, so messages may overtake each other. Tasks and handlers have no
 * local state, so the runnable ones are numbers, too. Each action is a separate stretch: a task or
 * handler may suspend between any two actions. If a task waits for a buffer, its message is late.
 *
 * RESERVED: an open run reserves open work for as many messages as its chunk can hold, instead of
 * one unit per message, and returns the surplus when it is closed.
 *
 * ENROLLS: the number of times that a core other than the home joins on its own, as in a global
 * completion event. Such a core requests a unit of work from the home, and starts a task when it
 * has the reply. If the wait is already over, the home refuses; in the code a new round begins.
 *
 * MUTANT_...: mistakes that the check must detect. */

#define CORES 3
#define HOME 0

/* Limits of what a program may start in total. */
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
#define LARGEST_NUMBER (MESSAGES + REQUESTS + STEALS + ENROLLS) /* the largest acknowledgement */
#define CHUNK 2 /* capacity of a chunk of a run, in messages */

byte messages_left = MESSAGES, tasks_left = TASKS, steals_left = STEALS, requests_made = 0;

/* TaskScope and RemoteScope, by core. The scope at the home exists from the start. */
bool in_scope[CORES] = { true, false, false };
byte open[CORES];
byte debt[CORES];
byte executing[CORES];  /* not counted at the home */
byte parent[CORES];

/* FinishScope: states of the task that opened the scope. The task runs the body, waits for a reply,
 * waits for the scope (waiter_ is set), has been woken, has returned. */
mtype = { BODY, IN_REQUEST, WAITS, WOKEN, RETURNED };
mtype opener = BODY;

/* Runnable tasks of the scope, by core. Tasks that wait for a reply are not included. */
byte live[CORES];

/* Runnable workers that execute a run of `n` counted messages from `source`. */
#define RUN(core, source, n) (((core) * CORES + (source)) * LONGEST_RUN + (n) - 1)
#define RUNS (CORES * CORES * LONGEST_RUN)
byte runs[RUNS];

/* Runnable workers in handlers, by core, including handlers of requests. */
byte handlers[CORES];

/* Counted messages that were sent but not yet executed. */
#define LINK(source, dest) ((source) * CORES + (dest))
byte under_way[CORES * CORES];
#ifdef RESERVED
byte run_messages[CORES * CORES]; /* messages in the open run */
byte run_reserved[CORES * CORES]; /* units that the open run has reserved */
#endif

/* Acknowledgements that were sent but not yet executed, by the number they carry. */
#define ACK(dest, n) ((dest) * LARGEST_NUMBER + (n) - 1)
byte acknowledgements[CORES * LARGEST_NUMBER];

/* Blocking delegates: states of the reply slot on the stack of the caller, and of the request. */
mtype = {
  SENT,       /* the request is in flight */
  RUNNING,    /* its handler is runnable at the owner */
  HANDLER_IN_REQUEST,
  DECIDED, DECIDED_WORK_LEFT, /* mutant: between the decision and the reply */
  REPLY, REPLY_WITH_WORK,     /* the reply is in flight */
  FILLED, FILLED_WORK_LEFT    /* the caller has been woken */
};
#define UNUSED 0 /* not started yet, or completed */
mtype state[REQUESTS];
byte caller[REQUESTS], owner[REQUESTS];
byte who[REQUESTS]; /* the waiting worker: */
#define A_TASK 0
#define THE_OPENER 1
#define A_RUN(source, n) (2 + (source) * LONGEST_RUN + (n) - 1)
#define HANDLER_OF(request) (2 + CORES * LONGEST_RUN + (request))

#if ENROLLS > 0
byte enrolls_left = ENROLLS;
byte asked[CORES];   /* units requested from the home, by core: requests in flight */
byte granted[CORES]; /* replies in flight */
#endif

/* Used only by the checks. */
byte waiting[CORES];                     /* workers of the scope that wait for a reply */
byte executing_from[CORES * CORES];      /* runs in execution, by source: LINK(source, core) */

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

/* The following functions have the names of functions in system/parallel/finish_scope.cpp. */

/* find(): returns null for a remote scope that does not exist. At the home it returns a pointer,
 * which must be valid. */
inline find(core) { assert(in_scope[core]) }

/* TaskScope::enroll. No work may join a scope whose opener has been woken. */
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
    /* remote_scopes().erase: no pointer to the scope may remain. */
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

/* TaskScope::drained of the home and of other cores (finish_scope.cpp) */
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
  assert(open[core] >= (n)); /* "a scope was completed more often than enrolled" */
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
    :: source == core -> complete(core, executed) /* away from home, `executing` keeps it */
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
/* The end of GlobalCompletionEvent::open_units(). */
inline open_units(core) {
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

/* answer_leaves_work(): true if the reply must leave work open. */
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

/* Request::operator(), after the body. The decision and the append of the reply are one step. */
inline answer(core, r, reply, reply_with_work) {
  find(core);
  if
  :: ANSWER_LEAVES_WORK(core, caller[r]) ->
    debt[core] = 1;
    state[r] = reply_with_work
  :: else -> state[r] = reply
  fi
}

/* Makes the worker runnable that made request r. */
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

/* request() in reply.hpp, until suspend(). Each slot is used once, so the slot is the next one. */
inline request(core, dest, waiter) {
  waiting[core]++;
  enroll(core, 1);
  state[requests_made] = SENT;
  caller[requests_made] = core;
  owner[requests_made] = dest;
  who[requests_made] = waiter;
  requests_made++
}

/* The invariant between two stretches for a core in the scope other than the home. The correctness
 * of the tree depends on it. Mutants do not check it, so that a mutant is detected by its effect on
 * the program. */
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

/* append() for a counted message. */
#ifdef RESERVED
inline send_counted(core, dest) {
  if
  :: run_messages[LINK(core, dest)] == run_reserved[LINK(core, dest)] ->
    /* Outbox::append: opens a new run, or grows the open run */
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

/* The end of a stretch. Resets its local variables. */
inline stretch_ends() {
  check_tree(ME);
  dest = 0;
  source = 0;
  n = 0;
  r = 0;
  r2 = 0
}

active [CORES] proctype core() {
  byte dest = 0, source = 0, n = 0, r = 0, r2 = 0; /* local variables of a stretch */

  do

  /* ---- Actions of a running body: the opener, a task, a handler. ---- */

  /* send_counted */
#define TO(core) :: dest = core
  :: atomic {
       AWAKE(ME) && messages_left > 0 ->
       if FOR_EACH_CORE(TO) fi;
       messages_left--;
       send_counted(ME, dest);
       stretch_ends()
     }

  /* TaskQueues::push */
  :: atomic {
       AWAKE(ME) && tasks_left > 0 ->
       tasks_left--;
       enroll(ME, 1);
       live[ME]++;
       stretch_ends()
     }

  /* request() in reply.hpp: the caller waits. */
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

  /* The caller continues when the reply has arrived. */
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

  /* ---- A task ends or is stolen: Scheduler::run_body, StealableTask::send. ---- */

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
       /* The run must reserve a unit for the message before the task is uncounted. */
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
  /* ---- Outbox::close: the surplus is returned, then the run may be sent. ---- */

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
         assert(open[ME] > 0) /* sent messages are still counted */
       :: else
       fi;
#endif
       under_way[LINK(ME, dest)] = under_way[LINK(ME, dest)] + run_messages[LINK(ME, dest)];
       run_messages[LINK(ME, dest)] = 0;
       run_reserved[LINK(ME, dest)] = 0;
       stretch_ends()
     }
#endif

  /* ---- Inbox::execute_run_at: a run begins. If a message suspends, detach() splits the run after
   * that message, and the rest is executed as a separate run. ---- */

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

  /* ---- The last message of a run has ended. ---- */

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

  /* The run continues with its next request, without leave(). */
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

  /* ---- Messages without a scope: acknowledge(), Reply. ---- */

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
  /* ---- GlobalCompletionEvent::open_units: by any task, part of the event or not. ---- */

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
       open_units(ME);
       enroll(ME, 1);
       live[ME]++;
       stretch_ends()
     }
#endif

  /* ---- FinishScope::wait, and the wait of a GlobalCompletionEvent on its home ---- */

  :: atomic { ME == HOME && opener == BODY ->
       if
       :: open[HOME] == 0 -> opener = WOKEN
       :: else -> opener = WAITS
       fi }
  :: atomic { ME == HOME && opener == WOKEN -> opener = RETURNED; break }

  /* The other cores poll until the job ends. */
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
