import { spawn } from 'node:child_process';
import { commandOf, self } from './account';

/** Seconds after the death of its program in which another may adopt a server. */
const graceSeconds = 10;

// Waits for the end of its input, which the kernel closes when the program dies, however that happens; a line before says that the program has left by
// itself. Where several programs died, the watchdog that was started last is enough, also when its program still runs: the others end. It counts the
// server's connections until there has been none for the time of grace. A shell, for it costs a megabyte where Node costs forty.
const script = `
server=$1 grace=$2 newest=$3
echo $$ > "$newest"
# Ctrl-C reaches the whole terminal, and is for the program.
trap '' INT HUP TERM
other=
readNewest() { { read -r other < "$newest"; } 2>/dev/null || other=; }
if read -r line; then
  readNewest
  if [ "$other" = $$ ]; then : > "$newest"; fi
  exit 0
fi
connections() {
  found=0
  if [ -r /proc/self/stat ]; then
    for stat in /proc/[0-9]*/stat; do
      { read -r line < "$stat"; } 2>/dev/null || continue
      set -- \${line##*) }
      [ "$2" = "$server" ] || continue
      case $(tr '\\0' ' ' < "\${stat%stat}cmdline" 2>/dev/null) in *'[local]'*) found=$((found + 1)) ;; esac
    done
  else
    found=$(ps -A -o ppid= -o command= | grep -c "^ *$server .*\\[local\\]")
  fi
}
alone=0
while kill -0 "$server" 2>/dev/null; do
  readNewest
  if [ "$other" != $$ ]; then
    if [ -n "$other" ] && kill -0 "$other" 2>/dev/null; then exit 0; fi
    if [ -e "$newest" ]; then echo $$ > "$newest"; fi
  fi
  connections
  if [ "$found" -eq 0 ]; then alone=$((alone + 1)); else alone=0; fi
  if [ "$alone" -ge "$grace" ]; then kill -INT "$server"; exit 0; fi
  sleep 1 || exit 1
done
`;

/**
 * Ends the server some seconds after this program has died, unless somebody else uses it then; what is returned calls that off. The watchdogs of a
 * server agree by `file`, which holds the process id of the one that was started last.
 */
export function watchOver(serverPid: number, file: string): () => void {
  const { command, args, options } = commandOf(self, '/bin/sh', [
    '-c',
    script,
    'tipledger-watchdog',
    String(serverPid),
    String(graceSeconds),
    file,
  ]);
  const child = spawn(command, args, { ...options, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Where there is no shell the server stays behind as before, to be adopted.
  child.on('error', () => undefined);
  child.unref();
  const input = child.stdin as unknown as {
    on(event: 'error', listener: () => void): void;
    unref?(): void;
    end(text: string): void;
  };
  input.on('error', () => undefined);
  input.unref?.();
  return () => input.end('left\n');
}
