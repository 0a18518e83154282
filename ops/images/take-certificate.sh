#!/bin/sh
# Gives the mail doors the certificate that Caddy got for SELVAGE_HOSTNAME. Every INTERVAL seconds
# it looks for the newest one in Caddy's storage and copies it to SELVAGE_DATA/tls, from where the
# doors load it without a restart. The service `certificate` of docker-compose.yml runs it. Without
# a public name there is no certificate, and the doors keep the one made at the first start.
set -u
umask 077
storage=${CADDY_STORAGE:-/certificates}
target=$SELVAGE_DATA/tls
# Caddy's folders are in lower case, however the operator writes the name
name=$(printf '%s' "$SELVAGE_HOSTNAME" | tr '[:upper:]' '[:lower:]')

# The certificates are in one folder for each certificate authority that was ever asked.
newest() {
  # shellcheck disable=SC2012 # the names are host names
  ls -t "$storage"/caddy/certificates/*/"$name/$name.crt" 2>/dev/null | head -n 1
}

take() {
  cert=$(newest)
  [ -n "$cert" ] || return 0
  key=${cert%.crt}.key
  cmp -s "$cert" "$target/cert.pem" && cmp -s "$key" "$target/key.pem" && return 0
  mkdir -p "$target" && cp "$key" "$target/key.pem.new" && cp "$cert" "$target/cert.pem.new" || return 1
  # The doors wait until key and certificate fit, so the order does not matter.
  mv "$target/key.pem.new" "$target/key.pem" && mv "$target/cert.pem.new" "$target/cert.pem" || return 1
  echo "took $cert"
}

trap 'exit 0' TERM INT
while :; do
  take || echo "!! the certificate of $SELVAGE_HOSTNAME could not be copied to $target" >&2
  sleep "${INTERVAL:-30}" &
  wait $!
done
