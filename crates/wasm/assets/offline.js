// @ts-check
// The service worker: keeps the files of the page, so that it opens without a network. A new version is fetched
// beside the old one and takes its place when no page is open.

/** Written by site/build. */
const VERSION = "";
/** @type {string[]} */
const FILES = [];

/** @type {any} */
const worker = self;
/** Pages of one origin share all caches. */
const ours = `spinney ${worker.registration.scope} `;

/** What comes from the network is asked for again, so that no file is older than another. */
async function install() {
  const cache = await caches.open(ours + VERSION);
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function activate() {
  const old = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== ours + VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  // The page that has just been loaded, too.
  await worker.clients.claim();
}

async function answer(request) {
  const cache = await caches.open(ours + VERSION);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => event.respondWith(answer(event.request)));
