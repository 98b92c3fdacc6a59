import { createRepository, preparedOnce } from './repository.ts';

/** A repository with one commit of two files. */
export const committedBase = preparedOnce((atEnd) => {
  const repository = createRepository('repository', atEnd);
  repository.write('a.txt', 'one\ntwo\nthree\n');
  repository.write('b.txt', 'b\n');
  repository.commit('base');
  return repository;
});
