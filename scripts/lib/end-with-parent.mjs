// Ends this process when the one that started it has ended, even without forwarding a signal: npm's shell forwards none,
// and a killed process cannot. Otherwise a server would outlive `npm start`, and use its database and port.
import process from "node:process";

const parent = process.ppid;
setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGTERM"), 500).unref();
