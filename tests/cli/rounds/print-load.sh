#!/bin/sh
# A load test that takes no time: prints what wrk or hey print, with latencies FACTOR times those of base and noise of 2 %
# (NOISE), another at each call. usage: print-load.sh wrk|hey FACTOR [connections]. FAULT_head=exit@3: what goes wrong at
# the third call of head (@always: at each): exit, hang, empty, prose, other-tool, reused, failing, light. RUN_S: how long it runs.
tool=$1 factor=$2 connections=${3:-8}
arm=${TAILBOARD_ARM:-none}
call=$(($(cat "calls-$arm" 2> /dev/null || echo 0) + 1))
echo "$call" > "calls-$arm"
eval "wanted=\${FAULT_$arm:-}"
fault=
case $wanted in *@always | *@"$call") fault=${wanted%@*} ;; esac

case $fault in
  hang)
    # A child of its own, as a script that starts a tool has.
    sleep 1000 &
    echo $! > "hanging-$arm"
    wait
    ;;
  empty) exit ;;
  prose) echo 'Nothing that a load generator prints.' && exit ;;
  other-tool) if [ "$tool" = wrk ]; then tool=hey; else tool=wrk; fi ;;
esac
[ -z "${RUN_S:-}" ] || sleep "$RUN_S"

seed=$(printf '%s %s %s' "$arm ${TAILBOARD_COMMIT:-}" "$call" "${NOISE_SEED:-}" | cksum | cut -d ' ' -f 1)
awk -v tool="$tool" -v factor="$factor" -v connections="$connections" -v noise="${NOISE:-0.02}" -v seed="$seed" -v fault="$fault" '
# Park and Miller: the same numbers on every awk.
function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function ms(value) { return sprintf("%.2fms", value * scale) }
function s(value) { return sprintf("%.4f", value * scale) }
BEGIN {
  state = seed % 2147483646 + 1
  for (step = 0; step < 20; step += 1) random()
  scale = factor * exp(noise * sqrt(-2 * log(random())) * cos(6.283185307 * random()))
  if (fault == "reused") scale = 1
  if (tool == "wrk") {
    requests = int(4000 / scale)
    print "Running 10s test @ http://127.0.0.1:8080/"
    print "  2 threads and " connections " connections"
    print "  Thread Stats   Avg      Stdev     Max   +/- Stdev"
    print "    Latency    " ms(20) "   " ms(5) "  " ms(90) "   80.00%"
    print "    Req/Sec   200.00     50.00   210.00     70.00%"
    print "  Latency Distribution"
    print "     50%   " ms(19) "\n     75%   " ms(22) "\n     90%   " ms(30) "\n     99%   " ms(50)
    print "  " requests " requests in 10.00s, " sprintf("%.2f", requests / (fault == "light" ? 800 : 400)) "MB read"
    if (fault == "failing") print "  Non-2xx or 3xx responses: " int(requests / 10)
    printf "Requests/sec:   %.2f\nTransfer/sec:      1.00MB\n", requests / 10
    exit
  }
  print "\nSummary:"
  printf "  Total:\t%.4f secs\n", 2 * scale
  print "  Slowest:\t" s(0.5) " secs\n  Fastest:\t" s(0.02) " secs\n  Average:\t" s(0.1) " secs"
  printf "  Requests/sec:\t%.4f\n  \n", 1000 / scale
  print "  Total data:\t2048000 bytes\n  Size/request:\t1024 bytes\n\nResponse time histogram:"
  for (row = 0; row <= 10; row += 1) printf "  %.3f [%d]\t|\n", (0.02 + 0.048 * row) * scale, row == 0 ? 1 : row == 1 ? 1199 : row < 10 ? 88 : 96
  print "\n\nLatency distribution:"
  print "  10% in " s(0.04) " secs\n  25% in " s(0.06) " secs\n  50% in " s(0.09) " secs\n  75% in " s(0.12) " secs"
  print "  90% in " s(0.2) " secs\n  95% in " s(0.3) " secs\n  99% in " s(0.4) " secs\n"
  print "Details (average, fastest, slowest):"
  split("DNS+dialup,DNS-lookup,req write,resp wait,resp read", parts, ",")
  for (at = 1; at <= 5; at += 1) print "  " parts[at] ":\t0.0000 secs, 0.0000 secs, 0.0000 secs"
  print "\nStatus code distribution:\n  [200]\t2000 responses\n\n"
}'
[ "$fault" != exit ] || exit 7
