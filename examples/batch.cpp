// SPDX-License-Identifier: MIT
//
// Many sequences in one form, in C++: objects that free themselves, errors as exceptions, and a
// batch whose masks are made at once, and in which a sequence that ends makes room for the next.
// The model is made of random numbers.
//
// Usage: batch SCHEMA N [VOCABULARY]: prints N values of the schema, one a line. VOCABULARY is a
// tokenizer.json or a GGUF file; without one each byte is a token.
#include <forma.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace forma {

template <auto Free> struct deleter {
    template <class T> void operator()(T *object) const noexcept {
        Free(object);
    }
};
using vocabulary = std::unique_ptr<forma_vocabulary, deleter<forma_vocabulary_free>>;
using cache = std::unique_ptr<forma_cache, deleter<forma_cache_free>>;
using threads = std::unique_ptr<forma_threads, deleter<forma_threads_free>>;
using grammar = std::unique_ptr<forma_grammar, deleter<forma_grammar_free>>;
using matcher = std::unique_ptr<forma_matcher, deleter<forma_matcher_free>>;

// What a function of forma made, or what it said instead.
template <class Owner, class T> Owner own(T *made, const forma_error &err) {
    if (!made)
        throw std::runtime_error(std::string(err.pointer) + (err.has_pointer ? ": " : "") +
                                 err.message);
    return Owner(made);
}
void check(forma_status status, const forma_error &err) {
    if (status) throw std::runtime_error(err.message);
}

vocabulary open_vocabulary(const std::string &path) {
    forma_error err;
    return own<vocabulary>(forma_vocabulary_open(path.c_str(), nullptr, &err), err);
}

vocabulary vocabulary_of_bytes() {
    std::vector<unsigned char> all(256);
    std::vector<const unsigned char *> bytes(257);
    std::vector<std::size_t> lengths(257, 1);
    for (unsigned b = 0; b < 256; b++) all[b] = static_cast<unsigned char>(b), bytes[b] = &all[b];
    const std::uint32_t end = 256;
    lengths[end] = 0;
    forma_error err;
    auto *v = forma_vocabulary_from_bytes(bytes.data(), lengths.data(), nullptr, bytes.size(), &end,
                                          1, nullptr, &err);
    return own<vocabulary>(v, err);
}

grammar compile(const std::string &schema, const vocabulary &v, const cache &masks) {
    forma_options options;
    forma_options_init(&options); // always: new members get their defaults
    options.style.blanks = FORMA_BLANKS_COMPACT;
    options.cache = masks.get(); // what one sequence found, all others find
    forma_error err;
    auto *g = forma_grammar_from_json_schema(schema.data(), schema.size(), v.get(), &options, &err);
    return own<grammar>(g, err);
}

// One text after another. Grammar and vocabulary must outlive it.
class sequence {
  public:
    sequence(const grammar &g, const vocabulary &v) : vocabulary_(v.get()) {
        forma_error err;
        matcher_ = own<matcher>(forma_matcher_new(g.get(), vocabulary_, nullptr, &err), err);
    }
    forma_matcher *get() const {
        return matcher_.get();
    }
    // False: that was the end, or only the end may come.
    bool accept(std::uint32_t token) {
        forma_error err;
        check(forma_matcher_accept(get(), token, &err), err);
        std::size_t n;
        if (const auto *bytes = forma_vocabulary_bytes(vocabulary_, token, &n)) // else an end token
            text_.append(reinterpret_cast<const char *>(bytes), n);
        return !forma_matcher_is_finished(get());
    }
    // The text, made whole where it was cut; the next one begins.
    std::string take() {
        std::vector<unsigned char> rest(1 << 16);
        std::size_t n = forma_matcher_completion(get(), rest.data(), rest.size());
        if (n == SIZE_MAX) throw std::runtime_error("no short end is known");
        text_.append(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(n));
        forma_matcher_reset(get());
        return std::exchange(text_, {});
    }

  private:
    matcher matcher_;
    const forma_vocabulary *vocabulary_;
    std::string text_;
};

} // namespace forma

static void run(const std::string &schema, std::size_t wanted, const forma::vocabulary &v) {
    constexpr std::size_t batch = 4, max_tokens = 200;
    forma_error err;
    // What is made last goes first: sequences, then the grammar, then the cache.
    const auto threads = forma::own<forma::threads>(forma_threads_new(2, nullptr, &err), err);
    const auto cache = forma::own<forma::cache>(
        forma_cache_new(v.get(), std::size_t{64} << 20, nullptr, &err), err);
    const forma::grammar g = forma::compile(schema, v, cache);
    std::vector<forma::sequence> sequences;
    std::vector<forma_matcher *> matchers;
    for (std::size_t s = 0; s < batch; s++) matchers.push_back(sequences.emplace_back(g, v).get());
    const std::size_t n_tokens = forma_vocabulary_size(v.get());
    const std::size_t words = forma_matcher_mask_words(matchers[0]);
    std::vector<std::int32_t> masks(batch * words); // a row a sequence, as a tensor on a device
    std::vector<std::size_t> lengths(batch);
    std::mt19937 random(1);
    for (std::size_t done = 0; done < wanted;) {
        forma::check(
            forma_matcher_masks(matchers.data(), batch, masks.data(), words, threads.get(), &err),
            err);
        for (std::size_t s = 0; s < batch && done < wanted; s++) {
            // In place of a model and a sampler: any of the tokens that may come, alike probable.
            std::uint32_t t;
            do t = static_cast<std::uint32_t>(random() % n_tokens);
            while (!(static_cast<std::uint32_t>(masks[s * words + t / 32]) >> t % 32 & 1));
            if (sequences[s].accept(t) && ++lengths[s] < max_tokens) continue;
            std::cout << sequences[s].take() << '\n';
            lengths[s] = 0;
            done++;
        }
    }
}

int main(int argc, char **argv) try {
    if (argc < 3 || argc > 4) throw std::runtime_error("usage: batch SCHEMA N [VOCABULARY]");
    run(argv[1], std::strtoul(argv[2], nullptr, 10),
        argc > 3 ? forma::open_vocabulary(argv[3]) : forma::vocabulary_of_bytes());
    return EXIT_SUCCESS;
} catch (const std::exception &e) {
    std::cerr << "batch: " << e.what() << '\n';
    return 2;
}
