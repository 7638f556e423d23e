import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { vally } from '../../../src/formats/vally.ts';
import type { ParserOptions, Sink } from '../../../src/parse/parser.ts';
import { object, streamed, whole } from '../../../src/parse/shape.ts';
import { Engine } from '../../../src/parse/simd/engine.ts';
import { FRAMINGS } from '../../../src/parse/simd/framings.ts';
import { ScanAhead, simdParser } from '../../../src/parse/simd/index.ts';
import { scannerModule } from '../../../src/parse/simd/module.ts';
import { makeRing, RingReader, RingWriter } from '../../../src/parse/simd/ring.ts';
import { scanInto } from '../../../src/parse/simd/scan-into.ts';
import { Walker } from '../../../src/parse/simd/walker.ts';
import { chunkSizes, json, maxValueBytes, numRuns, shape } from './generate.ts';
import { inChunks } from './log.ts';

function logging(): { sink: Sink; calls: unknown[] } {
  const calls: unknown[] = [];
  const sink: Sink = {
    item: (stream, value) => calls.push(['item', stream, value]),
    digest: (digest) => calls.push(['digest', digest]),
    record: (value, place, cut) => calls.push(['record', value, place, cut]),
    bad: (message, place) => calls.push(['bad', message, place]),
    blank: (lines) => calls.push(['blank', lines]),
    tail: (bytes, place) => calls.push(['tail', bytes, place]),
  };
  return { sink, calls };
}

function alone(bytes: Uint8Array, options: ParserOptions, sizes: number[]): unknown[] {
  const { sink, calls } = logging();
  const parser = simdParser(options, sink);
  for (const chunk of inChunks(bytes, sizes)) parser.write(chunk);
  parser.end();
  return calls;
}

const nothingMissing = async () => {
  throw new Error('it should all be there');
};

/** The whole way through the ring; first all of the scanning, and then all of the walking. */
async function ahead(bytes: Uint8Array, options: ParserOptions, sizes: number[], fails = false): Promise<unknown[]> {
  const { sink, calls } = logging();
  const scan = new ScanAhead('log', 0, options);
  let read = 0;
  scanInto(scan.job, function* (room) {
    for (const chunk of inChunks(bytes, sizes)) {
      room.bytes.set(chunk);
      yield chunk.length;
    }
    if (fails) throw new Error('the disk is gone');
  });
  for await (const more of scan.parse(sink, nothingMissing)) read += more;
  expect(read).toBe(bytes.length);
  return calls;
}

describe('a log that is scanned ahead gives the same calls', () => {
  const text = fc.array(json, { minLength: 1, maxLength: 6 });
  test.each(['lines', 'documents', 'elements'] as const)('of %s', async (framing) => {
    await fc.assert(
      fc.asyncProperty(
        text,
        shape,
        maxValueBytes,
        chunkSizes,
        fc.boolean(),
        async (all, wanted, limit, sizes, broken) => {
          const inside = framing === 'elements' ? `[${all.join(',')}]` : all.join('\n');
          const bytes = Buffer.from(broken ? `${inside}"` : `${inside}\n`);
          const options = { framing, shape: wanted, maxValueBytes: limit };
          expect(await ahead(bytes, options, sizes)).toEqual(alone(bytes, options, sizes));
        },
      ),
      { numRuns: numRuns(300) },
    );
  });

  test('of events that are digested', async () => {
    const events = Array.from({ length: 3000 }, (_, n) =>
      [
        `{"type":"tool_call","timestamp":"2026-01-05T00:00:00.000Z","data":{"toolName":"tool ${n % 7}","toolCallId":"c${n}"}}`,
        `{"type":"tool_result","timestamp":"2026-01-05T00:00:01.000Z","data":{"toolCallId":"c${n - (n % 3)}"}}`,
        `{"type":"turn_start","timestamp":"2026-01-05T00:00:01.000Z","data":{"turnId":"é ${n}"}}`,
      ].join(','),
    );
    const bytes = Buffer.from(`{"type":"trial-result","trajectory":{"events":[${events.join(',')}]}}\n`);
    const options = { framing: 'lines', shape: vally.shape('metrics'), maxValueBytes: 1 << 20 } as const;
    for (const sizes of [[1 << 20], [1000, 77]])
      expect(await ahead(bytes, options, sizes)).toEqual(alone(bytes, options, sizes));
  });
});

test('what was read before an error is there, and then the error', async () => {
  const bytes = Buffer.from('{"a":1}\n{"a":2}\n');
  const options = { framing: 'lines', shape: whole, maxValueBytes: 1 << 20 } as const;
  await expect(ahead(bytes, options, [5], true)).rejects.toThrow('the disk is gone');
});

test('parcels of all sizes go round the ring many times', () => {
  const engine = new Engine(scannerModule());
  const wanted = object({ items: streamed('item', whole) });
  const tables = engine.follow(wanted);
  const { scanner } = engine;
  scanner.begin(FRAMINGS.lines, tables.root, tables.records, 1 << 20, 1, 0);
  const ring = makeRing();
  const writer = new RingWriter(ring, engine);
  const reader = new RingReader(ring);
  const { sink, calls } = logging();
  const walker = new Walker(reader, tables, sink, 'lines');
  const sizeOf = (n: number) => (n * 7919) % 400_000;
  for (let n = 0; n < 400; n++) {
    // An escape, so that the text is not the input's own.
    const line = Buffer.from(`{"items":["\\n${'x'.repeat(sizeOf(n))}"]}\n`);
    engine.bytes.set(line, engine.copies);
    scanner.feed(engine.copies, line.length);
    scanner.run(line.length);
    engine.view();
    expect(writer.put(line.length)).toBe(true);
    expect(reader.take()).toBe(true);
    expect(reader.bytesRead).toBe(line.length);
    walker.walk(reader.tapeEnd);
    reader.done();
    scanner.advance(line.length);
  }
  const lengths = (calls as [string, string, string][])
    .filter(([call]) => call === 'item')
    .map(([, , text]) => text.length);
  expect(lengths).toEqual(Array.from({ length: 400 }, (_, n) => 1 + sizeOf(n)));
});

test('a scanner that nobody listens to any more stops', () => {
  const scan = new ScanAhead('log', 0, { framing: 'lines', shape: whole, maxValueBytes: 1 << 20 });
  new RingReader(scan.job.ring).stop();
  let reads = 0;
  scanInto(scan.job, function* (room) {
    for (;;) {
      reads++;
      room.bytes.set(Buffer.from('{}\n'));
      yield 3;
    }
  });
  expect(reads).toBe(1);
});
