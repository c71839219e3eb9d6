const addresses =
  "127.0.0.1 127.1.2.3 127.0.0.1. 127.1 2130706433 0x7f.1 0177.0.0.1 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 100.64.0.1 169.254.169.254 8.8.8.8 [::1] [0:0::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [fe80::1] [fd00::1] [2606:4700::1111] ⑯⑨.254.169.254 127。0。0。1";
const names =
  "localhost LOCALHOST localhost. localhost.. a.localhost a.localhost. printer.local db.internal router.lan nas.home.arpa x.home x.corp x.private x.intranet intranet";

/** Hosts that no public name stands for, in every notation: loopback, private, link-local, reserved, or a bare address. */
export const localHosts = [...addresses.split(" "), ...names.split(" ")];
