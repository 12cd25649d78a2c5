#!/usr/bin/env bash
# Makes the certificates of the tests anew: an authority of its own, and receivers that it vouches for; the file of a
# receiver holds its key too. Valid from 2020 to 2119, but for the expired one; the key of the authority is thrown away.
# Needs OpenSSL 3.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index.txt"

cat >"$work/ca.cnf" <<CONFIGURATION
[ca]
default_ca = authority
[authority]
database = $work/index.txt
new_certs_dir = $work
rand_serial = yes
default_md = sha256
default_startdate = 20200101000000Z
policy = policy
copy_extensions = copy
[policy]
commonName = supplied
CONFIGURATION

# request NAME EXTENSION...: a key, and the request for a certificate.
request() {
  local name=$1 extensions=()
  shift
  for extension; do extensions+=(-addext "$extension"); done
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name" "${extensions[@]}" \
    -keyout "$work/$name.key" -out "$work/$name.csr" 2>/dev/null
}

# sign NAME END OPTION...: the certificate, by the key of the authority.
sign() {
  local name=$1 end=$2
  shift 2
  openssl ca -batch -notext -config "$work/ca.cnf" -keyfile "$work/authority.key" -enddate "$end" "$@" \
    -in "$work/$name.csr" -out "$work/$name.crt" 2>/dev/null
}

# receiver NAME SUBJECT_ALTERNATIVE_NAMES END
receiver() {
  request "$1" "subjectAltName=$2"
  sign "$1" "$3" -cert authority.pem
  cat "$work/$1.key" "$work/$1.crt" >"$1.pem"
}

request authority "basicConstraints=critical,CA:TRUE" "keyUsage=critical,keyCertSign"
sign authority 21191231000000Z -selfsign
cp "$work/authority.crt" authority.pem

receiver vouched-for "DNS:localhost,IP:127.0.0.1" 21191231000000Z
receiver of-the-address "IP:127.0.0.1" 21191231000000Z
receiver expired "DNS:localhost,IP:127.0.0.1" 20200102000000Z
