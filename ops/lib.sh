# What the commands in ops share. They source it in bash. It sets TOP and PATH, makes SELVAGE_DATA
# absolute, and exports the settings of SELVAGE_DATA/settings.env.
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
SELVAGE_DATA=$(realpath -m -- "${SELVAGE_DATA:-$TOP/var}")
export SELVAGE_DATA
# Node 24 comes with the dependencies; the system's own Node only runs npm.
export PATH="$TOP/node_modules/.bin:$PATH:/usr/sbin:/sbin"

# Reads SELVAGE_DATA/settings.env, so that every shell and every start of the machine has the same
# settings. Each line is NAME=value. A variable that the shell has set already wins. A value may be
# in quotes, as in the settings of a backup.
settings_file=$SELVAGE_DATA/settings.env
bad_setting=
# Written out, since A-Z of a regular expression lacks the letter I in Turkish
capitals=ABCDEFGHIJKLMNOPQRSTUVWXYZ
read_settings() {
  local line number=0 name value
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    # Removes what editors leave: a byte order mark before the first line, and white space at an end
    line=${line#$'\xef\xbb\xbf'} line=${line%"${line##*[![:space:]]}"}
    case $line in '' | '#'*) continue ;; esac
    name=${line%%=*} value=${line#*=} value=${value#"${value%%[![:space:]]*}"}
    [[ $line == *=* && $name =~ ^[$capitals][${capitals}0123456789_]*$ ]] || { bad_setting=$number; continue; }
    case $value in
      \'*\') value=${value:1:-1} value=${value//"'\\''"/"'"} ;;
      '"'*'"') value=${value:1:-1} ;;
    esac
    [ "$name" = SELVAGE_DATA ] || [ -n "${!name+set}" ] || export "$name=$value"
  done <"$settings_file"
}
# Tests and measurements run hosts of their own. Only first-visit measures the host that is there.
reads_settings() {
  case $(realpath -m -- "$0") in
    */ops/bench/first-visit) return 0 ;;
    */ops/test | */ops/bench/*) return 1 ;;
  esac
}
[ ! -r "$settings_file" ] || ! reads_settings || read_settings

# Refuses settings that can't all be read. Commands that work on a host call this first. Those that
# look at a running host, restart or stop it do not: a wrong line must keep no host from stopping.
require_settings() {
  [ ! -e "$settings_file" ] || [ -r "$settings_file" ] || die "$settings_file can't be read by $(id -un)"
  [ -z "$bad_setting" ] || die "line $bad_setting of $settings_file is not a setting: write it as NAME=value"
}

say() { printf 'selvage: %s\n' "$*"; }
# 1 is the status of commands that did their work and found something wrong
die() { printf 'selvage: %s\n' "$*" >&2; exit 2; }
have() { command -v "$1" >/dev/null 2>&1; }
have_redis() { have redis-server || have valkey-server; }

# print_help: prints the comment at the head of the command
print_help() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

# take_help ARGUMENT...: for -h and --help, prints the help of the command and exits
take_help() {
  local argument
  for argument; do
    case $argument in -h | --help) print_help; exit 0 ;; esac
  done
}

# missing_packages: prints the Debian packages that are missing before the stack can start
missing_packages() {
  have node || echo nodejs
  have npm || echo npm
  [ -n "${DATABASE_URL:-}${DATABASE_URL_FILE:-}" ] || { have mariadbd && have mariadb-install-db; } || echo mariadb-server
  [ -n "${REDIS_URL:-}${REDIS_URL_FILE:-}" ] || have_redis || echo redis-server
  [ -e /etc/ssl/certs/ca-certificates.crt ] || [ ! -e /etc/debian_version ] || echo ca-certificates
}

# need_packages PACKAGE...: installs the packages as root on Debian; otherwise says what to install
# and exits
need_packages() {
  [ $# -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ] || ! have apt-get; then
    say "these are missing: $*"
    have apt-get && say "  as root: apt-get install $*"
    case " $* " in *' nodejs '* | *' npm '*) say '  or put node (20 or newer) and npm on your PATH' ;; esac
    case " $* " in *' mariadb-server '*) say '  or set DATABASE_URL=mysql://user:password@host:3306/database' ;; esac
    case " $* " in *' redis-server '*) say '  or set REDIS_URL=redis://host:6379/0' ;; esac
    exit 2
  fi
  say "installing from Debian: $*"
  install_packages "$@"
}

# install_packages PACKAGE...: installs Debian packages without starting their services, now or at
# the next boot, since the supervisor starts private engines
install_packages() (
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  fi
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    die "apt-get could not install $* (its whole output: $log)"
  fi
  rm -f "$log"
  have systemctl || return 0
  for package; do
    case $package in
      mariadb-server) systemctl disable --quiet mariadb >/dev/null 2>&1 || true ;;
      redis-server) systemctl disable --quiet redis-server >/dev/null 2>&1 || true ;;
    esac
  done
)

# is_running: whether a supervisor runs in SELVAGE_DATA. Its report names the process and when that
# was started, since a later process may have the same number.
is_running() {
  local report pid started stat
  report=$(cat "$SELVAGE_DATA/run/supervisor.json" 2>/dev/null) || return 1
  pid=$(sed -n 's/^  "pid": \([0-9]*\),$/\1/p' <<<"$report")
  started=$(sed -n 's/^  "startedAtTicks": "\([0-9]*\)",$/\1/p' <<<"$report")
  [ -n "$pid" ] && stat=$(cat "/proc/$pid/stat" 2>/dev/null) || return 1
  # The name of the program, in brackets, may hold spaces. The first field behind it is the state.
  # shellcheck disable=SC2086 # one word a field
  set -- ${stat##*) }
  [ "$1" != Z ] && [ "${20}" = "$started" ]
}

hash_of() { sha256sum | cut -d' ' -f1; }

# Two hosts may be started from one checkout at the same time. The lock lets one of them at a time
# prepare the checkout.
lock_checkout() {
  exec 9<"$TOP/package-lock.json"
  flock -n 9 || { say 'another command prepares this checkout; waiting until it is done'; flock 9; }
}

unlock_checkout() { exec 9<&-; }

# Whether the installed dependencies and the built webmail match the sources
is_prepared() { has_dependencies && has_webmail; }

dependencies_stamp=$TOP/node_modules/.selvage-lock
has_dependencies() { [ "$(cat "$dependencies_stamp" 2>/dev/null)" = "$(hash_of <"$TOP/package-lock.json")" ]; }

# Exits when a process runs from the dependencies, since npm ci begins by removing all of them
refuse_dependencies_in_use() {
  local process
  for process in /proc/[0-9]*; do
    case $(readlink "$process/exe") in "$TOP"/node_modules/*/bin/node)
      die "process ${process#/proc/} runs from $TOP/node_modules, which has to be installed anew. Stop it first; a host stops by ./ops/down" ;;
    esac
  done
}

install_dependencies() {
  local tools wanted
  if has_dependencies; then return; fi
  refuse_dependencies_in_use
  wanted=$(hash_of <"$TOP/package-lock.json")
  say 'installing the dependencies (npm ci; a minute or two)'
  tools=$(mktemp -d)
  take_pinned_node "$tools"
  # Debian's npm is older than this Node and uses deprecated features of it.
  (cd "$TOP" && PATH="$tools/node_modules/.bin:$PATH" NODE_OPTIONS=--no-deprecation npm ci --no-audit --no-fund --loglevel=error </dev/null) || die 'npm ci failed'
  rm -rf "$tools"
  link_node
  printf '%s\n' "$wanted" >"$dependencies_stamp"
}

# npm leaves out every optional package for which its Node is too old, such as the bundler's native
# part on Debian 12. So npm must run on the Node that it is about to install. This puts that Node,
# checked by the hash of the lock file, in a folder.
take_pinned_node() { # FOLDER
  (
    PATH=${PATH#"$TOP/node_modules/.bin:"}
    [ "$(node -p 'parseInt(process.versions.node)')" -lt 24 ] || exit 0
    cd "$1" && node - "$TOP/package-lock.json" <<'JS' && npm ci --no-audit --no-fund --loglevel=error </dev/null >/dev/null
const { readFileSync, writeFileSync } = require('node:fs');
const name = `node-linux-${process.arch}`;
const pinned = JSON.parse(readFileSync(process.argv[2], 'utf8')).packages[`node_modules/${name}`];
const root = { name: 'tools', dependencies: pinned ? { [name]: pinned.version } : {} };
writeFileSync('package.json', JSON.stringify(root));
const packages = { '': root, ...(pinned ? { [`node_modules/${name}`]: { ...pinned, optional: false } } : {}) };
writeFileSync('package-lock.json', JSON.stringify({ ...root, lockfileVersion: 3, packages }));
JS
  ) || die 'Node 24 could not be taken from the npm registry'
}

# npm 9 (Debian 12) removes the link to Node when it drops the package for the other processor,
# which has a link of the same name.
link_node() {
  local found
  for found in "$TOP"/node_modules/node-linux-*/bin/node; do
    if [ -x "$found" ] && [ ! -e "$TOP/node_modules/.bin/node" ]; then
      ln -sf "../${found#"$TOP/node_modules/"}" "$TOP/node_modules/.bin/node"
    fi
  done
}

# The hash of all that a build of the webmail reads. Of core it imports contracts and mail only
# (.oxlintrc.json).
webmail_sources() {
  (cd "$TOP" && find webmail core/src/contracts core/src/mail package-lock.json -type f -not -path '*/dist/*' -not -path '*/node_modules/*' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | hash_of)
}

webmail_stamp=$TOP/node_modules/.selvage-webmail
has_webmail() { [ -e "$TOP/webmail/dist/index.html" ] && [ "$(cat "$webmail_stamp" 2>/dev/null)" = "$(webmail_sources)" ]; }

build_webmail() {
  local wanted
  if has_webmail; then return; fi
  wanted=$(webmail_sources)
  say 'building the webmail'
  # A build that breaks off leaves a part of the new app, which is that of no sources
  rm -f "$webmail_stamp"
  # Not by npm: version 9 exits with 0 when a script of a workspace failed.
  (cd "$TOP/webmail" && vite build --logLevel warn </dev/null) || die 'building the webmail failed'
  printf '%s\n' "$wanted" >"$webmail_stamp"
}

# Exits unless ./ops/up has installed the dependencies here. Commands that run on the installed Node
# call this first.
require_installed() {
  have node || die 'nothing is installed here yet: ./ops/up (with Docker: see ops/docs/BACKUPS.md)'
  require_node
}

require_node() {
  [ -x "$TOP/node_modules/.bin/node" ] && return
  # The dependencies have no Node for this kind of machine, so the system's Node has to be new
  # enough.
  have node && [ "$(node -p 'parseInt(process.versions.node)')" -ge 24 ] || die 'Node 24 or newer is needed on this machine'
}
