import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makePlan, writeSample } from '../make-sample.mjs';

const SAMPLES = fileURLToPath(new URL('../../samples', import.meta.url));

/** Larger ones say nothing more, and take longer. */
const LARGEST = 48 * 1024;

/** Clean logs to start from: those of the repository, and made-up ones of every format. */
export function corpus() {
  return [...samples(), ...madeUp()];
}

/** Small ones of every layout, that can be cut off at every byte. */
export function smallLogs() {
  const vally = { type: 'trial-result', stimulus: 'é', status: 'ok', trajectory: { id: 'a', events: [EVENT, EVENT] } };
  const conversation = { task: { id: 's' }, steps: [{ messages: [{ role: 'user', content: '😀' }] }], reward: 1 };
  const instance = { instance_id: 'i', model_patch: '+a\n', trajectory: [{ type: 'user', message: { content: 'x' } }] };
  const forecast = { messages: [{ key: 'U0', message: { role: 'user' } }], steps: [{ input: ['U0'], output: 'A0' }] };
  const logs = {
    'vally lines': `\ufeff${JSON.stringify(vally)}\r\n\n{"type":"run-summary"}\n${JSON.stringify(vally)}\n`,
    'a vally document': JSON.stringify(vally, null, 1),
    'sdk lines': `${JSON.stringify(conversation)}\n${JSON.stringify(conversation)}\n`,
    'an sdk array': JSON.stringify([conversation, conversation], null, 1),
    'a trials array': JSON.stringify([instance, instance]),
    'a bare array of events': JSON.stringify(instance.trajectory, null, '\t'),
    'a forecast trajectory': JSON.stringify(forecast),
  };
  return Object.entries(logs).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
}

const EVENT = { type: 'tool_call', timestamp: '2026-01-05T10:00:01Z', data: { toolName: 'lire_é', toolCallId: '1' } };

function samples() {
  return readdirSync(SAMPLES, { recursive: true })
    .filter((name) => /\.jsonl?$/.test(name))
    .sort()
    .map((name) => ({ name, format: formatOf(name), bytes: readFileSync(path.join(SAMPLES, name)) }))
    .filter(({ bytes }) => bytes.length <= LARGEST);
}

function formatOf(name) {
  return name.endsWith('.rows.jsonl') ? 'rows' : name.split(path.sep)[0];
}

function madeUp() {
  return ['vally', 'trials', 'sdk', 'forecast', 'rows'].map((format) => {
    const chunks = [];
    const single = format === 'forecast' || format === 'rows';
    const plan = makePlan({ format, ...(single ? { size: '8KB' } : { records: '6', 'events-per-record': '8' }) });
    writeSample(plan, (bytes) => chunks.push(Buffer.from(bytes)));
    return { name: `made-up ${format}`, format, bytes: Buffer.concat(chunks) };
  });
}
