import { build, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { firstScreens } from './screens.ts';

/** What each screen of a first visit begins with. `base` comes with all of them, `afterwards` follows each. */
const screens: Record<string, string> = {
  base: '/index.html',
  ...Object.fromEntries(Object.entries(firstScreens).map(([name, { first }]) => [name, first])),
  afterwards: '/src/app/Afterwards.tsx',
};

/**
 * Puts the modules that the same screens of a first visit need into one file. Left alone, the bundler makes fifty files of what the
 * login page needs: fifty requests, and a seventh more bytes, because small files compress badly. It builds once on trial to learn
 * what each screen needs after unused code is gone, so no screen gets a module that it does not need.
 * @param plugins those of the build, made anew for the trial
 */
export function groupChunks(plugins: () => PluginOption[]): Plugin {
  return {
    name: 'group-chunks',
    apply: 'build',
    async config({ root, build: options }) {
      const reach = await findReach(root ?? process.cwd(), plugins(), options?.target);
      // a screen's first module stays a chunk of its own: the build's manifest tells by it what the screen needs
      const name = (id: string): string | null => (isFirst(id) ? null : nameFor(reach.get(id)));
      const groups = [{ name, debugName: 'first-visit' }];
      return {
        build: { rolldownOptions: { output: { codeSplitting: { groups, includeDependenciesRecursively: false } } } },
      };
    },
  };
}

function isFirst(id: string): boolean {
  return Object.entries(screens).some(([name, first]) => name !== 'base' && id.endsWith(first));
}

/** What several screens share goes into few files, at the price of some hundred bytes that one of them does not need. */
function nameFor(reachedBy: string[] | undefined): string | null {
  if (!reachedBy) return null;
  if (reachedBy.includes('base')) return 'base';
  const names = reachedBy.filter((name) => name !== 'afterwards');
  if (names.length > 1 && names.includes('login')) return 'common';
  if (names.includes('shell')) return 'shell';
  return names.length > 1 ? names.join('-') : reachedBy.join('-');
}

/** For each module the screens of a first visit that need it. */
async function findReach(
  root: string,
  plugins: PluginOption[],
  target: string | string[] | false | undefined,
): Promise<Map<string, string[]>> {
  const trial = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: { write: false, minify: false, ...(target ? { target } : {}) },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(trial.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const reach = new Map<string, string[]>();
  for (const [name, first] of Object.entries(screens)) {
    for (const id of modulesBelow(chunks, first)) reach.set(id, [...(reach.get(id) ?? []), name]);
  }
  return reach;
}

/** All modules of the chunks that come with a screen. */
function modulesBelow(chunks: Map<string, Rolldown.OutputChunk>, first: string): Set<string> {
  const begins = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(first));
  if (!begins) throw new Error(`the build has no chunk that begins with ${first}`);
  const modules = new Set<string>();
  const seen = new Set<string>();
  const open = [begins.fileName];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = chunks.get(name);
    if (!chunk || seen.has(name)) continue;
    seen.add(name);
    for (const id of chunk.moduleIds) modules.add(id);
    open.push(...chunk.imports);
  }
  return modules;
}
