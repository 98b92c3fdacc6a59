import { readTemplate } from '../templates.ts';

/**
 * A file of `templates/hosts/` as `init` writes it. A template lists each hook entry once, under all events that have it, with
 * `{event}` for the name. Hosts load plugins one by one, so imports from files beside them are inlined.
 */
export function hostTemplate(name: string): string {
  const text = readTemplate(name);
  if (name.endsWith('.json')) return withEvents(JSON.parse(text));
  return text.replace(/^import .* from '\.\/(.+)';\n/gm, (_, part) => withoutExports(readTemplate(`hosts/${part}`)));
}

/** Kiro has a list of entries that name their event. */
type Hooks = Record<string, unknown> | { trigger: string }[];

function withEvents({ hooks, ...others }: { hooks: Hooks }): string {
  const full = Array.isArray(hooks)
    ? hooks.flatMap((hook) => hook.trigger.split(' ').map((trigger) => about(trigger, { ...hook, trigger })))
    : Object.fromEntries(
        Object.entries(hooks).flatMap(([events, value]) =>
          events.split(' ').map((event) => [event, about(event, value)]),
        ),
      );
  return `${JSON.stringify({ ...others, hooks: full }, null, 2)}\n`;
}

function about(event: string, value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('{event}', event));
}

function withoutExports(module: string): string {
  return module.replace(/^export /gm, '');
}
