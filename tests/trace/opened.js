// In a page of opened.py: opens trace.json in a viewer's engine, and tells how much it found there.
'use strict';
const tell = found => fetch('/said', { method: 'POST', body: JSON.stringify(found) });
window.addEventListener('unhandledrejection', event => tell(String(event.reason && event.reason.stack || event.reason)));
const trace = async () => new Uint8Array(await (await fetch('/trace.json')).arrayBuffer());

// The trace processor's protocol: protobuf's fields, numbers and bytes.
const varint = n => { const out = []; for (; n > 127; n = Math.floor(n / 128)) out.push(n % 128 | 128); return [...out, n]; };
const number = (field, n) => [...varint(field * 8), ...varint(n)];
function bytes(field, content) {
  const head = varint(field * 8 + 2).concat(varint(content.length)), out = new Uint8Array(head.length + content.length);
  out.set(head);
  out.set(content, head.length);
  return out;
}
function joined(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}
// The bytes of all fields of that number.
function fields(message, field) {
  const found = [];
  let at = 0;
  const next = () => { let n = 0, scale = 1, b; do { b = message[at++]; n += (b & 127) * scale; scale *= 128; } while (b > 127); return n; };
  while (at < message.length) {
    const tag = next(), kind = tag % 8;
    if (kind === 2) {
      const size = next();
      if (Math.floor(tag / 8) === field) found.push(message.subarray(at, at + size));
      at += size;
    } else if (kind === 0) next();
    else at += kind === 1 ? 8 : 4;
  }
  return found;
}

async function perfetto() {
  const APPEND = 1, FINALIZE = 2, QUERY = 3;
  const worker = new Worker('/engine_bundle.js'), channel = new MessageChannel();
  let sequence = 0, answered;
  channel.port2.onmessage = event => answered(fields(event.data, 1)[0]);
  worker.postMessage(channel.port1, [channel.port1]);
  const ask = (method, argument) => new Promise(done => {
    answered = done;
    channel.port2.postMessage(bytes(1, joined(number(1, ++sequence), number(2, method), argument)));
  });
  // The one cell of the one row, a text.
  const query = async sql => {
    const answer = await ask(QUERY, bytes(103, bytes(1, new TextEncoder().encode(sql))));
    return new TextDecoder().decode(fields(fields(fields(answer, 203)[0], 3)[0], 5)[0]).replace(/\0/g, '');
  };
  const all = await trace(), PART = 1 << 24;
  for (let at = 0; at < all.length; at += PART) await ask(APPEND, bytes(101, all.subarray(at, at + PART)));
  await ask(FINALIZE, []);
  const slices = 'from slice join thread_track on track_id = thread_track.id join thread using (utid) join process using (upid)';
  const found = {
    host: `select count() ${slices} where pid = 1 and dur >= 0`,
    device: `select count() ${slices} where pid = 2 and dur > 0`,
    instants: `select count() ${slices} where pid = 2 and dur <= 0`,
    arrows: 'select count() from flow',
    samples: 'select count() from counter',
    tracks: 'select count(distinct track_id) from slice',
    ends: `select sum(ts + dur) ${slices} where pid = 1 or dur > 0`,
    troubles: "select ifnull(sum(value), 0) from stats where severity in ('error', 'data_loss') and value > 0",
  };
  for (const name in found) found[name] = Number(await query(`select cast((${found[name]}) as text)`));
  tell(found);
}

async function chrome_viewer() {
  const model = new tr.Model(), text = new TextDecoder().decode(await trace());
  new tr.importer.Import(model).importTraces([text]);
  const found = { host: 0, device: 0, instants: 0, arrows: model.flowEvents.length, samples: 0, tracks: 0, ends: 0, troubles: model.importWarnings.length };
  for (const process of Object.values(model.processes)) {
    for (const counter of Object.values(process.counters)) found.samples += counter.timestamps.length;
    for (const thread of Object.values(process.threads)) {
      const spans = thread.sliceGroup.slices;
      if (spans.length) found.tracks++;
      for (const span of spans) {
        const instant = process.pid === 2 && span.duration === 0;
        found[instant ? 'instants' : process.pid === 2 ? 'device' : 'host']++;
        if (!instant) found.ends += Math.round(span.end * 1e6);
      }
    }
  }
  tell(found);
}
