// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files of a run: what the benchmark library exports for each target, in the format of JMH, and text of our own.
struct Results {
  let folder: URL

  /// One benchmark, as exported.
  struct Entry: Decodable {
    struct Metric: Decodable {
      let rawData: [[Double]]
    }

    let benchmark: String
    let secondaryMetrics: [String: Metric]

    /// The name as it was registered, which the export spells with underscores.
    var name: String {
      String(benchmark.split(separator: ".", maxSplits: 3)[3]).replacing("_", with: " ")
    }

    func samples(_ metric: String) -> [Double] { (secondaryMetrics[metric]?.rawData.first ?? []).sorted() }

    func percentile(_ percentile: Double, of metric: String) -> Double {
      let samples = samples(metric)
      return samples.isEmpty ? 0 : samples[min(samples.count - 1, Int(Double(samples.count) * percentile / 100))]
    }
  }

  func entries(_ file: String) -> [Entry]? {
    guard let data = try? Data(contentsOf: folder.appending(path: "\(file).jmh.json")) else { return nil }
    do {
      return try JSONDecoder().decode([Entry].self, from: data)
    } catch {
      fatalError("\(file).jmh.json cannot be read: \(error)")
    }
  }

  func lines(_ file: String) -> String? {
    (try? String(contentsOf: folder.appending(path: file), encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
